/** The unit's notebook as it is on the page now: the course's cells, with what the reader has put in their place. */

import { cellsOf, drop, onChange, put } from "./kept.js";
import { typed } from "./typed.js";

export const unit = location.pathname.split("/").at(-2);
export const keyOf = (id) => `${unit}/${id}`;

let coming;

/** The learners' notebook, as the course has it; fetched when it is first needed. */
export function notebook() {
  coming ??= fetch(new URL(`${unit}.ipynb`, location.href)).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.json();
  });
  coming.catch(() => (coming = null)); // the next one asks again
  return coming.catch(() => {
    throw new Error("The notebook did not come. Connect, then try again.");
  });
}

export const sourceOf = ({ source }) => [source].flat().join("");
export const isAnswer = ({ metadata }) => Boolean(metadata?.nbgrader?.solution);

/** Texts that are not the course's, by the id of their cell; and the reader's own cells, `{after, section}` by id. */
export const texts = new Map();
export const own = new Map();
const listeners = new Set();

function take({ exercise, source, after, section, gone }, here) {
  const [of, id] = exercise.split("/");
  if (of !== unit || !id) return;
  if (gone) for (const one of [texts, own]) one.delete(id);
  else texts.set(id, source);
  if (!gone && (after || id.startsWith("own-"))) own.set(id, { after, section });
  if (!here) for (const f of listeners) f(id);
}

let reading;

/** Reads what is kept, once, and what was typed just before an earlier visit ended. */
export const read = () => (reading ??= readNow());

async function readNow() {
  for (const key of typed.keys(`${unit}/`)) {
    await put(key, typed.get(key), false).then(() => typed.drop(key), () => {});
  }
  for (const record of await cellsOf(unit)) take(record, true);
}

onChange(take);

/** Calls `f(id)` when another tab has changed a cell. */
export const onCell = (f) => listeners.add(f);

/** Keeps what a cell has now; the promise fails where the browser keeps nothing. */
export function keep(id, source, where) {
  texts.set(id, source);
  if (where) own.set(id, where);
  return put(keyOf(id), source, false, { where });
}

/** Forgets what the reader has put in a cell's place, or a cell of the reader's own. */
export function forget(id) {
  const mine = own.get(id); // one's own cells below it go up; those below a cell of the course stay where they are
  for (const [other, where] of own) if (mine && where.after === id) keep(other, texts.get(other), { ...where, after: mine.after }).catch(() => {});
  texts.delete(id);
  own.delete(id);
  typed.drop(keyOf(id));
  return drop(keyOf(id)).catch(() => {});
}

/** What a cell has now. */
export function now(cell) {
  const field = isAnswer(cell) && document.querySelector(`form.answer[data-exercise="${CSS.escape(cell.metadata.nbgrader.grade_id)}"]`);
  return field ? field.elements[0].value : (texts.get(cell.id) ?? sourceOf(cell));
}

/** The reader's own cells below one, in their order. */
function below(id) {
  const mine = [...own].filter(([, { after }]) => after === id).map(([one]) => one);
  return mine.sort().reverse().flatMap((one) => [{ id: one, source: texts.get(one) ?? "" }, ...below(one)]);
}

/** All cells with what they have now: those of the course as `cell`, and the reader's own. */
export async function all() {
  const { cells } = await notebook();
  const found = cells.flatMap((cell) => [{ cell, id: cell.id, source: now(cell) }, ...below(cell.id)]);
  const there = new Set(found.map(({ id }) => id));
  const left = [...own.keys()].filter((id) => !there.has(id)); // the course has no such cell above them any more
  return [...found, ...left.map((id) => ({ id, source: texts.get(id) ?? "" }))];
}

/** The code cells, as Python takes them. */
export async function code() {
  const them = await all();
  return them.filter(({ cell }) => !cell || cell.cell_type === "code").map(({ id, source }) => ({ id, source }));
}
