// What the first screen says of a sentence, as HTML: pure functions of a result as reading.js has it.

import { LAYERS, escaped, isApart, joins, write } from "./picture.js";
import { key, source } from "./reading.js";

const short = (text) => escaped(text.length > 24 ? `${text.slice(0, 23)}…` : text);
const called = ({ words, pair }, k) => `<b class="${["one", "two"][k]}">${short(words[pair[k]].text)}</b>`;

/** What is measured. */
export const figure = (result) => {
  if (result.lone) return "";
  const there = result.alone ? 'here and <b class="two">alone</b>' : `and ${called(result, 1)}`;
  return `Likeness of ${called(result, 0)} ${there}`;
};

// The word twice, as a verb and as a thing, if it may be either.
const company = ({ words, pair }) => {
  const text = key(words[pair[0]]), full = escaped(`I ${text} a ${text}`);
  return joins(text) || text.length > 24 ? "." : `: <button type="button" data-try="${full}">${full}</button>`;
};

const ofOne = (result, silent) => {
  const nothing = silent ? "there is nothing to switch off" : "attention finds nothing to take";
  return `${called(result, 0)} has no neighbours, so ${nothing}. Give it company${company(result)}`;
};

const ofAlone = (result, silent, last) => {
  const here = called(result, 0), from = short(result.words[source(result, result.pair[0])].text);
  return silent
    ? `Now ${here} takes nothing from its neighbours. Here and on its own, it ends ${last} alike.`
    : `In the first layer, ${here} takes most from <i>${from}</i>. After six layers it is ${last} like ${here} on its own.`;
};

const ofTwo = (result, silent, last) => {
  if (silent) return `Now no word takes anything from its neighbours. The two end ${last} alike, one word in two positions.`;
  const [one, two] = result.pair.map((i) => `<i>${short(result.words[source(result, i)].text)}</i>`);
  const apart = `the first ${called(result, 0)} takes most from ${one}, the second from ${two}`;
  const reads = `In the first layer, ${one === two ? `both take most from ${one}` : apart}.`;
  const first = write(result.on[0]);
  return isApart({ sims: result.on })
    ? `They start out ${first} alike. ${reads} After six layers they are ${last} alike.`
    : `This small model hardly parts the two, which start out ${first} alike and end ${last} alike. ${reads}`;
};

/** What the numbers say. */
export const told = (result, silent) => {
  const { on, off, lone, alone, cut, words } = result, last = write((silent ? off : on)[LAYERS] ?? 0);
  const says = (lone ? ofOne : alone ? ofAlone : ofTwo)(result, silent, last);
  return cut ? `${says} Your first ${words.length - (alone ? 1 : 0)} words are read.` : says;
};
