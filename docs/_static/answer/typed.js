/** What was typed last, kept at once: a page that is left has no time for the store. */

const BEGINS = "attention-course-typed:";

function allowed(work) {
  try {
    return work();
  } catch {
    return undefined; // nothing may be kept here, which the card says
  }
}

/** Whether this browser may keep something of an earlier visit: a first one loads nothing for it. */
export async function wasHere() {
  const there = await indexedDB.databases?.();
  return !there || there.some(({ name }) => name === "attention-course-answers") || Object.keys(localStorage).some((name) => name.startsWith(BEGINS));
}

export const typed = {
  set: (exercise, source) => allowed(() => localStorage.setItem(BEGINS + exercise, source)),
  drop: (exercise) => allowed(() => localStorage.removeItem(BEGINS + exercise)),
  get: (exercise) => allowed(() => localStorage.getItem(BEGINS + exercise)) ?? null,
  /** The keys that begin so, of texts which no store has yet. */
  keys: (begin) => allowed(() => Object.keys(localStorage).filter((key) => key.startsWith(BEGINS + begin)).map((key) => key.slice(BEGINS.length))) ?? [],
};
