/** What a page shows of answers that are kept: their text, a mark at those that are right, and how many are. */

import { all, get, onChange, put } from "./kept.js";
import { typed } from "./typed.js";

const $ = (id) => document.getElementById(id);

/** Keeps what was typed just before an earlier visit ended. */
async function late(exercise) {
  const source = typed.get(exercise);
  if (source === null) return;
  if ((await get(exercise))?.source !== source) await put(exercise, source, false);
  typed.drop(exercise);
}

export async function marks(forms) {
  const of = new Map(forms.map((form) => [form.dataset.exercise, form]));
  const right = new Set();

  function mark({ exercise, passed }) {
    if (!of.has(exercise)) return;
    right[passed ? "add" : "delete"](exercise);
    of.get(exercise).closest(".exercise").classList.toggle("is-right", passed);
    if (passed) of.get(exercise).closest(".exercise-body").classList.remove("is-waiting");
    document.querySelector(`.unit-path [data-exercise="${exercise}"]`)?.classList.toggle("is-right", passed);
    $("answer-count").textContent = right.size ? `${right.size} of ${forms.length} right.` : "";
  }

  onChange(mark);
  for (const exercise of of.keys()) await late(exercise).catch(() => {});
  const kept = await all().catch(() => []); // whoever writes is told
  for (const record of kept) {
    const field = of.get(record.exercise)?.elements[0];
    if (field && field.value === field.defaultValue) {
      field.value = record.source;
      field.rows = record.source.split("\n").length;
    }
    mark(record);
  }
}
