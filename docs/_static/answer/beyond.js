/** The way of the page's answers to the notebook that this browser keeps, and back. */

import { all } from "./kept.js";
import { button, listed, part } from "./parts.js";

const bridge = () => import("./notebook.js");

/** Goes where a link leads, to a notebook; what was answered on pages comes along, which may ask first. */
export async function go(link, unit, forms, take = []) {
  const at = link.closest("form")?.dataset.exercise; // whose cell is seen first
  const open = () => location.assign(at ? `${link.href}#answer=${at}` : link.href);
  const blank = new Map(forms.map((form) => [form.dataset.exercise, form.elements[0].defaultValue]));
  const kept = (await all()).filter(({ exercise, source }) => blank.has(exercise) && source !== blank.get(exercise));
  if (!kept.length) return open();
  try {
    const answers = Object.fromEntries(kept.map((one) => [one.exercise, one]));
    const { conflicts } = await (await bridge()).carry(unit, answers, { take });
    const names = conflicts.map(({ exercise }) => exercise);
    if (!names.length) return open();
    const again = () => go(link, unit, forms, names);
    return asks(link, ["Your notebook has another answer to ", ...listed(names), "."], ["Take mine from here along", again], ["Leave the notebook's", open]);
  } catch (error) {
    return asks(link, [error.message], ["Open the notebook without", open]);
  }
}

function asks(link, words, ...choices) {
  const buttons = choices.flatMap(([label, f]) => [" ", button(label, f)]);
  const line = part("p", ...words, ...buttons);
  line.className = "answer-offer";
  line.setAttribute("role", "status");
  const place = link.closest("p");
  if (place.nextElementSibling?.matches(".answer-offer")) place.nextElementSibling.remove();
  place.after(line);
}

/** Calls `offer(exercise, source)` for each answer of the unit's notebook that is newer than the page's. */
export async function back(unit, offer) {
  const [found, kept] = await Promise.all([(await bridge()).fetchBack(unit), all()]);
  const mine = new Map(kept.map((one) => [one.exercise, one]));
  for (const [exercise, { source, at }] of Object.entries(found)) {
    const { source: text, at: when = 0 } = mine.get(exercise) ?? {};
    if (source.trim() !== text?.trim() && at > when) offer(exercise, source);
  }
}
