/** The way of the page's answers to the notebook that this browser keeps, and back. */

import { all } from "./kept.js";

const bridge = () => import("./notebook.js");

/** Goes to a notebook's address; what was answered on pages comes along. */
export async function go(address, unit, forms) {
  try {
    const blank = new Map(forms.map((form) => [form.dataset.exercise, form.elements[0].defaultValue]));
    const kept = (await all()).filter(({ exercise, source }) => blank.has(exercise) && source !== blank.get(exercise));
    if (kept.length) await (await bridge()).carry(unit, Object.fromEntries(kept.map((one) => [one.exercise, one])));
  } finally {
    location.assign(address); // where nothing can be carried, the notebook is there all the same
  }
}

/** Calls `offer(exercise, source)` for each answer of the unit's notebook that is newer than the page's. */
export async function back(unit, offer) {
  const databases = (await indexedDB.databases?.()) ?? [];
  if (!databases.some(({ name }) => name.includes("JupyterLite"))) return; // no notebook was opened here
  const [found, kept] = await Promise.all([(await bridge()).fetchBack(unit), all()]);
  const mine = new Map(kept.map((one) => [one.exercise, one]));
  for (const [exercise, { source, at }] of Object.entries(found)) {
    const { source: text, at: when = 0 } = mine.get(exercise) ?? {};
    if (source !== text && at > when) offer(exercise, source);
  }
}
