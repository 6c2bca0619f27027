/** Keeps a text as one types: at each key, where one write waits for the one before. */

import { get, onChange, put, trouble } from "./kept.js";
import { typed } from "./typed.js";

/**
 * `key` is that of the record, `given` what the course has there, `says` shows a sentence on how it is kept, and `where`
 * is what `put` takes. `view` has the text; `offers` shows a second text to choose, `{says, take, keep}`, or takes it away.
 */
export function keeping({ key, given, says, where }, view, offers) {
  let known = "", seen = 0, passed = false, waits = false, ended = false;
  const failed = (error) => says(trouble(error));
  const ready = get(key).then(first, failed);
  let turn = ready;

  function first(record) {
    if (!record) known = given;
    else if (view.text === given || view.text === record.source) adopt(record);
    // else the reader was quicker: what was kept becomes the other text
  }

  function adopt(record) {
    ({ source: known, at: seen, passed } = record);
    if (view.text !== known) view.text = known;
    offer(record.other);
  }

  function offer(other) {
    if (!other) return offers();
    const choose = (text, well, rest) => keep(text, well, { other: rest }).then(() => view.text !== text && (view.text = text));
    return offers({
      says: other.from ?? "Another page of yours wrote something else here. Both are kept.",
      source: other.source,
      take: () => choose(other.source, other.passed, { source: view.text, passed, from: "What was here before is kept too." }),
      keep: () => choose(view.text, passed, null),
    });
  }

  async function write(text, well, how) {
    if (ended || (text === known && well === passed && !how)) return;
    try {
      const record = await put(key, text, well, { seen, where, ...how });
      ({ source: known, at: seen, passed } = record);
      if (view.text === known) typed.drop(key);
      says("Kept in this browser.");
      offer(record.other);
    } catch (error) {
      failed(error);
      passed = well;
    }
  }

  /** Keeps a text; one at a time. */
  const keep = (text, well, how) => (turn = turn.then(() => write(text, well, how)));
  const now = (well = passed) => keep(view.text, well);

  onChange((record, here) => {
    if (ended || here || record.gone || record.exercise !== key) return;
    if (view.text !== known) return void now(); // both have written: the later one is told
    adopt(record);
    says("Another page of yours has changed this.");
  });
  const leaves = () => (ended ? undefined : now());
  addEventListener("visibilitychange", () => document.hidden && leaves());
  addEventListener("pagehide", leaves);

  return {
    now,
    ready,
    get passed() {
      return passed;
    },
    /** What to do when the text has changed. */
    changed() {
      typed.set(key, view.text);
      if (waits) return; // the write that waits takes the newest text
      waits = true;
      turn = turn.then(() => {
        waits = false;
        return ended ? undefined : write(view.text, passed);
      });
    },
    /** Keeps nothing from now on. */
    end: () => (ended = true),
    /** Offers a text from elsewhere; `from` says in a sentence whose it is. */
    offer: (source, from) => turn.then(() => keep(view.text, passed, { other: { source, passed: false, from } })),
  };
}
