/**
 * What a reader writes, kept in this browser: a record for each exercise, `{exercise, source, passed, at}`, `at` in ms,
 * and one for each changed cell and each cell of the reader's own, whose `exercise` is `unit/id`. A cell of one's own
 * has `after`, the id of the cell that it is below, and `section`, where it is the last of a section.
 *
 * Where two pages write one answer, the record has the one that was written over as `other: {source, passed}`,
 * until somebody chooses: no text is lost. A text from elsewhere says so there: `from` is a sentence.
 */

const NAME = "attention-course-answers", STORE = "answers";
const listeners = new Set();
const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(NAME);
if (channel) channel.onmessage = ({ data }) => tell(data, false);
const tell = (record, here) => listeners.forEach((f) => f(record, here));

let opening;
function open() {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "exercise" });
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      asked.result.onclose = () => (opening = null);
      resolve(asked.result);
    };
  });
  opening.catch(() => (opening = null)); // it may be allowed the next time
  return opening;
}

/** Runs `work(store, give)` in one transaction; the promise has what was given, when all of it is written. */
async function transact(mode, work) {
  const transaction = (await open()).transaction(STORE, mode);
  return new Promise((resolve, reject) => {
    let given;
    transaction.oncomplete = () => resolve(given);
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(STORE), (value) => (given = value));
  });
}

const read = (find) => transact("readonly", (store, give) => (find(store).onsuccess = ({ target }) => give(target.result)));

/** The record of an exercise, if there is one. */
export const get = (exercise) => read((store) => store.get(exercise));

/** All records of answers. */
export const all = () => read((store) => store.getAll()).then((them) => them.filter(({ exercise }) => !exercise.includes("/")));

/** All records of a unit's cells. */
export const cellsOf = (unit) => read((store) => store.getAll(IDBKeyRange.bound(`${unit}/`, `${unit}/\uffff`)));

/**
 * Keeps an answer; the promise has its record.
 *
 * `seen` is the `at` of the record that the page knows: what another page has written since becomes `other`.
 * `other` says what to keep beside it instead; `null` forgets what was there. `where` is `{after, section}` of one's own cell.
 */
export async function put(exercise, source, passed, { seen = Infinity, other, where } = {}) {
  const kept = await transact("readwrite", (store, give) => {
    store.get(exercise).onsuccess = ({ target: { result: old } }) => {
      const { after, section } = where ?? old ?? {};
      const record = { exercise, source, passed, at: Math.max(Date.now(), (old?.at ?? 0) + 1) };
      if (after) Object.assign(record, { after, section });
      const unseen = old && old.at > seen && { source: old.source, passed: old.passed };
      const beside = other === undefined ? unseen || old?.other : other;
      if (beside && beside.source !== source) record.other = beside;
      store.put(record);
      give(record);
    };
  }).catch((error) => {
    tell({ exercise, source, passed }, true); // the page goes on without
    throw error;
  });
  channel?.postMessage(kept);
  tell(kept, true);
  return kept;
}

/** Forgets a record. */
export async function drop(exercise) {
  await transact("readwrite", (store) => store.delete(exercise));
  const gone = { exercise, gone: true };
  channel?.postMessage(gone);
  tell(gone, true);
}

const RECORD = "record/lines";

/** The reader's record of checks and predictions, as lines of `progress.jsonl`: no tab writes over another's. */
export const record = {
  lines: async () => (await get(RECORD))?.source ?? "",
  added: (lines) =>
    transact("readwrite", (store) => {
      store.get(RECORD).onsuccess = ({ target: { result } }) => store.put({ exercise: RECORD, source: (result?.source ?? "") + lines });
    }),
  all: (lines) => transact("readwrite", (store) => store.put({ exercise: RECORD, source: lines })),
};

/** Calls `f(record, here)` at each change: `here` says whether this page made it. Gives a function that ends it. */
export function onChange(f) {
  listeners.add(f);
  return () => listeners.delete(f);
}

/** Why something is not kept, as a sentence for people. */
export const trouble = (error) =>
  error?.name === "QuotaExceededError"
    ? "This browser's store is full, so what you write is not kept. Download the page as a notebook before you leave."
    : "This browser keeps nothing here (a private window, or a setting). Download the page as a notebook before you leave.";
