/** Hints of a card, one at a time: those of the page, and then what Python knows. */

import { part } from "./parts.js";

/** Gives a function that shows the next hint; `ask({rung})` is for those that the page has not got. */
export function hints(form, ask) {
  const given = [...(form.closest(".exercise-body")?.querySelectorAll(":scope > details") ?? [])];
  const place = form.querySelector(".answer-hints");
  let shown = 0, all = false;

  return async () => {
    const mine = given[shown];
    if (mine) {
      mine.open = true;
      place.append(mine);
      shown += 1;
      return;
    }
    const hint = all ? undefined : await ask({ rung: shown + 1 });
    if (!hint) return;
    place.append(as(hint));
    shown = hint.rung;
    all = shown === hint.of;
  };
}

function as({ html }) {
  const one = part("div");
  one.innerHTML = html;
  return one;
}
