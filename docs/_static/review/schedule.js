/**
 * What is asked on which day, as `helpers/questions/schedule.py` has it; a test runs both on the same histories.
 *
 * `asked` are the answers in their order, `{exercise, kind, seed, right, sure, at}`; a day is a whole number.
 * `course` has the exercises of each step of attention, `steps`, and the kinds of questions of each exercise, `kinds`.
 */

export const A_DAY = 4;
const AGAIN = 3, MISSED = 1; // days until an exercise is asked about again: after a right answer, after a wrong one
const NEVER = 10000; // days that an exercise has waited that was never asked about

/** The day of a moment, where the reader is. */
export function dayOf(at) {
  const date = new Date(at);
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86400000;
}

/** The answers of a day. */
export const answeredOn = (asked, today) => asked.filter(({ at }) => dayOf(at) === today);

/** For how many days an exercise has been due, or `null`; an answer from a later day counts as yesterday's. */
function overdue(exercise, asked, today) {
  const last = asked.findLast((one) => one.exercise === exercise);
  if (!last) return NEVER;
  const since = today - dayOf(last.at);
  const waited = (since >= 0 ? since : 1) - (last.right ? AGAIN : MISSED);
  return waited >= 0 ? waited : null;
}

/** The exercises to be asked about: missed ones first, then what has waited longest; equals take turns by steps. */
export function due(course, passed, asked, today) {
  const known = course.steps.flat().filter((name) => passed.has(name) && course.kinds[name]?.length);
  const missed = new Map(asked.map(({ exercise, right }) => [exercise, !right]));
  const ready = known.reverse().map((name) => ({ name, missed: missed.get(name) ?? false, waits: overdue(name, asked, today) }))
    .filter(({ waits }) => waits !== null);
  ready.sort((one, other) => other.missed - one.missed || other.waits - one.waits);
  const stepOf = new Map(course.steps.flatMap((names, step) => names.map((name) => [name, step])));
  const recent = answeredOn(asked, today).map(({ exercise }) => stepOf.get(exercise));
  const found = [];
  while (ready.length) {
    const [first] = ready;
    const equals = ready.filter(({ missed, waits }) => missed === first.missed && waits === first.waits);
    const times = ({ name }) => recent.filter((step) => step === stepOf.get(name)).length;
    const one = equals.reduce((best, next) => (times(next) < times(best) ? next : best));
    found.push(one.name);
    recent.push(stepOf.get(one.name));
    ready.splice(ready.indexOf(one), 1);
  }
  return found;
}

/** The kind of question that an exercise has not been asked for longest, and its first seed that was not asked. */
export function nextOf(course, exercise, asked) {
  const last = (kind) => asked.findLastIndex((one) => one.exercise === exercise && one.kind === kind);
  const kind = course.kinds[exercise].reduce((best, next) => (last(next) < last(best) ? next : best));
  const used = new Set(asked.filter((one) => one.exercise === exercise && one.kind === kind).map(({ seed }) => seed));
  let seed = 0;
  while (used.has(seed)) seed += 1;
  return { kind, seed };
}

/** The question of a pool that comes nearest: the wanted one, else the one of its kind that was asked longest ago. */
export function drawn(questions, exercise, { kind, seed }, asked) {
  const there = questions.filter((one) => one.exercise === exercise && one.kind === kind);
  const last = ({ seed }) => asked.findLastIndex((one) => one.exercise === exercise && one.kind === kind && one.seed === seed);
  return there.find((one) => one.seed === seed)
    ?? there.reduce((best, next) => (!best || last(next) < last(best) ? next : best), null);
}
