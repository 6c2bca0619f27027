/** Keeps the answer of a card: at every pause, at once when the page is hidden, and whenever it is asked to. */

import { get, onChange, put, trouble } from "./kept.js";
import { typed } from "./typed.js";

const PAUSE = 600;

/** `view` has the text; `offers` shows a second text to choose, `{says, take, keep}`, or takes it away. */
export function keeping(form, view, offers) {
  const { exercise } = form.dataset, field = form.elements[0], line = form.querySelector(".answer-kept span");
  let known = "", seen = 0, passed = false, timer;
  const ready = get(exercise).then(first, failed);
  let turn = ready;

  function first(record) {
    if (!record) known = field.defaultValue;
    else if (view.text === field.defaultValue || view.text === record.source) adopt(record);
    // else the reader was quicker: what was kept becomes the other text
  }

  function adopt(record) {
    ({ source: known, at: seen, passed } = record);
    if (view.text !== known) view.text = known;
    offer(record.other);
  }

  function failed(error) {
    line.textContent = trouble(error);
  }

  function offer(other) {
    if (!other) return offers();
    const choose = (text, well, rest) => keep(text, well, { other: rest }).then(() => view.text !== text && (view.text = text));
    return offers({
      says: other.from ?? "Another page of yours wrote a different answer. Both are kept.",
      source: other.source,
      take: () => choose(other.source, other.passed, { source: view.text, passed, from: "The answer that stood here is kept too." }),
      keep: () => choose(view.text, passed, null),
    });
  }

  /** Keeps a text; one at a time. */
  function keep(text, well, how) {
    clearTimeout(timer);
    turn = turn.then(async () => {
      if (text === known && well === passed && !how) return;
      try {
        const record = await put(exercise, text, well, { seen, ...how });
        ({ source: known, at: seen, passed } = record);
        if (view.text === known) typed.drop(exercise);
        line.textContent = "Kept in this browser.";
        offer(record.other);
      } catch (error) {
        failed(error);
        passed = well;
      }
    });
    return turn;
  }

  const now = (well = passed) => keep(view.text, well);
  onChange((record, here) => {
    if (here || record.exercise !== exercise) return;
    if (view.text !== known) return void now(); // both have written: the later one is told
    adopt(record);
    line.textContent = "Another page of yours has changed this answer.";
  });
  addEventListener("visibilitychange", () => document.hidden && now());
  addEventListener("pagehide", () => now());

  return {
    now,
    ready,
    get passed() {
      return passed;
    },
    /** What to do when the text has changed. */
    changed() {
      typed.set(exercise, view.text);
      clearTimeout(timer);
      timer = setTimeout(now, PAUSE);
    },
    /** Offers a text from elsewhere; `from` says in a sentence whose it is. */
    offer: (source, from) => turn.then(() => keep(view.text, passed, { other: { source, passed: false, from } })),
  };
}
