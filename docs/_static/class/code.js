/**
 * Codes of a class in whatever it posted, as `helpers/class_codes` reads them; a test runs both on the same texts.
 *
 * `course` has the units, `{unit, title, head, exercises}`: of an exercise its number, its name, and how many
 * sentences there are on mistakes in it. `head` are the values of the first letters of a code.
 */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const STATES = ["untouched", "tried", "passed"];
const LENGTH = 20, CHECK = 4, GROUP = 4, HEAD = 4, TAG = 4;
const SHIFT = [17, 5, 26, 11];
const BETWEEN = 8, LONGEST = LENGTH + 4, SHORTEST = 2 * GROUP;
const TALK_AT = 25, FEWEST = 3;
const NONE = `There is no code in this text: a code is ${LENGTH} letters and digits, in groups of ${GROUP}.`;
const ALIKE = { O: "0", I: "1", L: "1", U: "V" };

// Letters and their check

const valueOf = (letter) => ALPHABET.indexOf(ALIKE[letter.toUpperCase()] ?? letter.toUpperCase());
const powers = [1];
while (powers.length < 31) powers.push((powers.at(-1) << 1) ^ (powers.at(-1) & 16 ? 0x25 : 0));
const logs = new Map(powers.map((power, log) => [power, log]));
const times = (one, other) => (one && other ? powers[(logs.get(one) + logs.get(other)) % 31] : 0);
const generator = powers.slice(0, CHECK)
  .reduce((found, root) => [...found, 0].map((value, place) => value ^ times(root, [0, ...found][place])), [1]).slice(1);

function checkOf(values) {
  let rest = new Array(CHECK).fill(0);
  for (const value of values) {
    const lead = rest[0] ^ value;
    rest = [...rest.slice(1), 0].map((one, place) => one ^ times(lead, generator[place]));
  }
  return rest.map((one, place) => one ^ SHIFT[place]);
}

const same = (one, other) => one.length === other.length && one.every((value, place) => value === other[place]);
const isWhole = (values) => values.length === LENGTH && same(checkOf(values.slice(0, -CHECK)), values.slice(-CHECK));

function* near(values) {
  for (let place = 0; place <= values.length; place += 1) {
    const before = values.slice(0, place), here = values.slice(place, place + 1), after = values.slice(place + 1);
    if (values.length === LENGTH + 1 && here.length) {
      yield [[...before, ...after], `letter ${place + 1}, ${ALPHABET[here[0]]}, is probably one too many`];
    }
    if (values.length === LENGTH && after.length) {
      const swapped = [...before, after[0], ...here, ...after.slice(1)];
      yield [swapped, `letters ${place + 1} and ${place + 2} have probably changed places`];
    }
    for (const [value, letter] of [...ALPHABET].entries()) {
      if (values.length === LENGTH && here.length) yield [[...before, value, ...after], `letter ${place + 1} is probably ${letter}`];
      else if (values.length === LENGTH - 1) yield [[...before, value, ...here, ...after], `letter ${place + 1}, ${letter}, is probably left out`];
    }
  }
}

function repaired(values) {
  const found = [...near(values)].filter(([one]) => isWhole(one));
  return found.length && found.every(([one]) => same(one, found[0][0])) ? found[0] : null;
}

// What a code holds

function unpacked(values, unit) {
  let number = values.slice(HEAD + TAG, -CHECK).reduce((sum, value, place) => sum + value * ALPHABET.length ** place, 0);
  const take = (choices) => {
    const one = number % choices;
    number = (number - one) / choices;
    return one;
  };
  const states = unit.exercises.map(() => STATES[take(STATES.length)]), mistakes = [];
  const tag = values.slice(HEAD, HEAD + TAG).map((value) => ALPHABET[value]).join("");
  if (!startsAs(values, unit.head)) return { tag, states, mistakes: null }; // another edition
  const failing = states.flatMap((state, place) => (state === "tried" ? [place] : []));
  while (number) {
    const choice = take(failing.length + 1);
    if (!choice) return null;
    mistakes.push([failing[choice - 1], take(unit.exercises[failing[choice - 1]][2])]);
  }
  return { tag, states, mistakes };
}

// Where codes stand in a text

const together = (one, other) => piece(one.start, other.end, one.text + other.text);
const piece = (start, end, text) => ({ start, end, text, values: [...text].map(valueOf) });
const courseOf = ([unit, first, second]) => [unit, first, second >> 2]; // the rest of the second letter is of the edition
const startsAs = (values, head) => same(values.slice(0, HEAD), head);

const isClose = (text, one, following) => [...text.slice(one.end, following.start)].length <= BETWEEN; // in letters, as Python counts

function whole(text, parts) {
  const codes = [], rest = [];
  for (let place = 0; place < parts.length;) {
    let after = place + 1, one = parts[place];
    while (after < parts.length && one.text.length < LENGTH && isClose(text, one, parts[after])) {
      one = together(one, parts[after]);
      after += 1;
    }
    if (one.text.length === LENGTH && isWhole(one.values)) {
      codes.push(one);
      place = after;
    } else {
      rest.push(parts[place]);
      place += 1;
    }
  }
  return [codes, rest];
}

function goesOn(text, one, following, heads) {
  const between = text.slice(one.end, following.start);
  if (!isClose(text, one, following) || one.text.length + following.text.length > LONGEST) return false;
  if (/[-_\u2010-\u2015\u2212]/.test(between)) return true;
  const both = one.text + following.text, inOneCase = [both.toUpperCase(), both.toLowerCase()].includes(both);
  const endsAGroup = following.text.length === GROUP - (one.text.length % GROUP) && one.text.length < LENGTH;
  return inOneCase && endsAGroup && /^[ \t\r\n\u00a0]*$/.test(between) && !heads.some((head) => startsAs(following.values, head));
}

const mayBeRepaired = (one) => Math.abs(one.text.length - LENGTH) <= 1;

function looksLikeOne(one, groups, heads) {
  const alike = heads.some((head) => head.filter((value, place) => value === one.values[place]).length >= HEAD - 1);
  if (alike && one.text.length >= SHORTEST) return true;
  const inGroups = groups.length > 2 && groups.filter((group) => group.length === GROUP).length >= groups.length - 1;
  if (inGroups && groups.filter((group) => /\d/.test(group) && /[a-z]/i.test(group)).length >= 2) return true;
  return mayBeRepaired(one) && /\d/.test(one.text) && repaired(one.values) !== null;
}

function damaged(text, parts, heads) {
  const pieces = [];
  for (let place = 0; place < parts.length;) {
    let after = place + 1, one = parts[place];
    const groups = [one.text];
    while (after < parts.length && goesOn(text, one, parts[after], heads)) {
      groups.push(parts[after].text);
      one = together(one, parts[after]);
      after += 1;
    }
    if (looksLikeOne(one, groups, heads)) pieces.push(one);
    place = pieces.at(-1) === one ? after : place + 1;
  }
  return pieces;
}

/** All codes of a text, the last of each learner, and what is wrong with others. */
export function foundIn(text, course) {
  const unitOf = (values) => course.units.find(({ head }) => head[0] === values[0]);
  const ours = (values) => {
    const unit = unitOf(values);
    return unit && same(courseOf(unit.head), courseOf(values)) ? unpacked(values, unit) : null;
  };
  const parts = [...text.matchAll(/[0-9A-Za-z]+/g)].map(({ 0: found, index }) => piece(index, index + found.length, found));
  const [good, rest] = whole(text, parts);
  const codes = good.map(({ start, values }) => [start, values]);
  const notes = [];
  for (const one of damaged(text, rest, good.map(({ values }) => values.slice(0, HEAD)))) {
    const [meant, says] = mended(one, ours);
    if (meant) codes.push([one.start, meant]);
    notes.push(`${text.slice(one.start, one.end).replaceAll(/[ \t\r\n\u00a0]+/g, " ")}: ${says}`);
  }
  const learners = new Map(), elsewhere = new Map();
  let replaced = 0;
  for (const [, values] of codes.toSorted(([one], [other]) => one - other)) {
    const unit = unitOf(values), code = ours(values);
    const count = (what) => elsewhere.set(what, (elsewhere.get(what) ?? 0) + 1);
    if (!code) {
      count("of another course, and not counted");
      continue;
    }
    if (!code.mistakes) count(`of another edition of ${unit.unit}: passed and tried count, mistakes do not`);
    if (!learners.has(unit.unit)) learners.set(unit.unit, new Map());
    const there = learners.get(unit.unit), before = there.get(code.tag);
    replaced += Boolean(before) && JSON.stringify(before) !== JSON.stringify(code);
    there.set(code.tag, code);
  }
  if (replaced) notes.unshift(`${many(replaced)} followed by a newer one of the same learner, which counts.`);
  notes.unshift(...[...elsewhere].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([what, count]) => `${many(count)} ${what}.`));
  return { learners, notes: codes.length || notes.length ? notes : [NONE] };
}

const many = (count) => (count === 1 ? "1 code is" : `${count} codes are`);

function mended({ text, values }, ours) {
  const count = text.length;
  const [meant, says] = (mayBeRepaired({ text }) && repaired(values)) || [];
  if (meant && ours(meant)) return [meant, `${says}, and it is counted so.`];
  if (count === LENGTH) return [null, "more than one letter is wrong; ask for it again."];
  return [null, `${count} letters, where a code has ${LENGTH}${count < LENGTH ? ": it was cut" : ""}; ask for it again.`];
}

// What they come to

/** How the learners of a unit stand; `said` has the mistakes of each exercise, each with its id and its sentence. */
export function counted(unit, learners, said) {
  const codes = [...learners.values()];
  const rows = unit.exercises.map(([number, exercise], place) => {
    const of = (state) => codes.filter(({ states }) => states[place] === state).length;
    return { number, exercise, passed: of("passed"), tried: of("tried"), untouched: of("untouched") };
  });
  const makers = new Map(), bySentence = new Map(), readable = codes.filter(({ mistakes }) => mistakes);
  for (const { tag, mistakes } of readable) {
    for (const key of new Set(mistakes.map(String))) bySentence.set(key, (bySentence.get(key) ?? 0) + 1);
    for (const [place, sentence] of mistakes) {
      const key = `${place} ${said[place][sentence][0]}`;
      if (!makers.has(key)) makers.set(key, { place, id: said[place][sentence][0], tags: new Set() });
      makers.get(key).tags.add(tag);
    }
  }
  const found = [...makers.values()].map(({ place, id, tags }) => {
    const sentences = said[place].flatMap(([one], at) => (one === id ? [at] : []));
    const times = (at) => bySentence.get(`${place},${at}`) ?? 0;
    const commonest = sentences.reduce((best, at) => (times(at) > times(best) ? at : best));
    const count = tags.size, of = readable.length, { number, exercise } = rows[place];
    const share = Math.floor((200 * count + of) / (2 * of)), now = count >= FEWEST && 100 * count >= TALK_AT * of;
    return { place, commonest, share, count, of, where: `${number} ${exercise}`, says: said[place][commonest][1], now };
  });
  found.sort((one, other) => other.count - one.count || one.place - other.place || one.commonest - other.commonest);
  return { title: unit.title, learners: codes.length, rows, said: found.map(({ place, commonest, ...one }) => one) };
}
