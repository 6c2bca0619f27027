// Answers given on the site's pages, and the notebooks that JupyterLite keeps in this browser: one into the other.
//
// JupyterLite keeps files with localforage in IndexedDB: a database named after its folder, a store "files" in
// which the key is a file's path. What is written here is written in one transaction, so that of two pages
// neither undoes the other. Nothing is lost: an answer that is replaced is kept where `reset` keeps what it
// takes away, and `reset("softmax", undo=True)` brings it back.

const LITE = new URL("../../lite/", import.meta.url);
const STORE = "files";
const BEFORE = "answers-before-reset.jsonl";
const PROGRESS = "progress.jsonl";
const CHANNEL = "attention-course-notebook"; // on which an open notebook hears that its file has changed

const SAYS = {
  network: "The notebook could not be fetched, so nothing was taken along: connect, then try again.",
  full: "This browser's storage is full, so nothing was taken along: make room in its settings, then try again.",
  forbidden: "This browser lets no page keep anything here, so there is no notebook to take answers along to.",
  damaged: "The notebook that this browser keeps cannot be read. It stays as it is; File, Download saves a copy of it.",
};

function trouble(reason, cause) {
  return Object.assign(new Error(SAYS[reason], { cause }), { reason });
}

/**
 * Put answers into the kept notebook of a unit, which is made from the course's own where there is none.
 *
 * @param {string} unit such as "05_softmax"
 * @param {Object} answers by exercise: its source, or {source, passed}
 * @param {{take?: string[]}} how exercises whose other answer in the notebook may be replaced
 * @returns {Promise<{taken: string[], conflicts: {exercise, here, there}[], missing: string[]}>} `taken`: what the
 *   notebook has now, `conflicts`: where it has another answer, `here` on the page and `there` in the notebook,
 *   which stays; `missing`: what it has no cell for
 * @throws {Error} with `reason` "network", "full", "forbidden" or "damaged"; then nothing is changed
 */
export async function carry(unit, answers, { take = [] } = {}) {
  const path = pathOf(unit);
  const course = await fetched(path);
  const blank = sourcesOf(course);
  const done = { taken: [], conflicts: [], missing: [] };

  const into = async (files) => {
    const kept = await asked(files.get(path));
    const at = later(kept);
    const notebook = kept ? contentOf(kept) : course;
    const cells = answerCells(notebook);
    const replaced = [];
    let changed = false;
    for (const [exercise, answer] of Object.entries(answers)) {
      const here = answer.source ?? answer;
      const cell = cells.get(exercise);
      const there = cell && textOf(cell);
      if (!cell) done.missing.push(exercise);
      else if (same(there, here)) done.taken.push(exercise);
      else if (!same(there, blank[exercise] ?? "") && !take.includes(exercise))
        done.conflicts.push({ exercise, here, there });
      else {
        if (!same(there, blank[exercise] ?? "")) replaced.push({ exercise, source: there, at });
        cell.source = here;
        for (const one of notebook.cells) if (belongs(one, exercise)) cleared(one);
        done.taken.push(exercise);
        changed = true;
      }
    }
    if (!changed) return;
    files.put(recordOf(path, kept, notebook, at), path);
    const passed = done.taken.filter((exercise) => answers[exercise].passed);
    await append(files, BEFORE, replaced, at);
    await append(files, PROGRESS, passed.map((exercise) => ({ exercise, event: "passed", at })), at);
  };
  await alone(path, () => within("readwrite", into));
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(JSON.stringify({ changed: path }));
  channel.close();
  return done;
}

/**
 * The answers in the kept notebook of a unit that are not blank.
 *
 * @param {string} unit such as "05_softmax"
 * @returns {Promise<Object>} by exercise: {source, at}, `at` when the notebook was saved, in ms
 * @throws {Error} as `carry`
 */
export async function fetchBack(unit) {
  const path = pathOf(unit);
  let kept;
  await within("readonly", async (files) => (kept = await asked(files.get(path))));
  if (!kept) return {};
  const blank = sourcesOf(await fetched(path));
  const at = Date.parse(kept.last_modified);
  const given = Object.entries(sourcesOf(contentOf(kept))).filter(([name, text]) => !same(text, blank[name] ?? ""));
  return Object.fromEntries(given.map(([name, source]) => [name, { source, at }]));
}

const pathOf = (unit) => `${unit}/${unit}.ipynb`;

// Cells

const textOf = (cell) => [cell.source].flat().join("");
const same = (one, other) => one.trim() === other.trim();

function answerCells(notebook) {
  const answers = notebook.cells.filter(({ metadata }) => metadata?.nbgrader?.solution);
  return new Map(answers.map((cell) => [cell.metadata.nbgrader.grade_id, cell]));
}

const sourcesOf = (notebook) => Object.fromEntries([...answerCells(notebook)].map(([name, cell]) => [name, textOf(cell)]));

const belongs = ({ metadata }, exercise) =>
  [exercise, `${exercise}-few-test`, `${exercise}-test`].includes(metadata?.nbgrader?.grade_id);

function cleared(cell) {
  if (cell.cell_type === "code") Object.assign(cell, { outputs: [], execution_count: null });
}

// Files

async function fetched(path) {
  try {
    const answer = await fetch(new URL(`files/${path}`, LITE));
    if (!answer.ok) throw new Error(`${answer.status}`);
    return await answer.json();
  } catch (error) {
    throw trouble("network", error);
  }
}

/** What a file holds, whoever has written it: a page keeps a notebook as it is, a kernel as text or in base64. */
function contentOf({ format, content }) {
  try {
    const notebook = format === "json" ? content : JSON.parse(plain({ format, content }));
    if (!notebook.cells.every((cell) => typeof cell === "object")) throw new TypeError("no cells");
    return notebook;
  } catch (error) {
    throw trouble("damaged", error);
  }
}

function plain({ format, content }) {
  if (format !== "base64") return content;
  return new TextDecoder().decode(Uint8Array.from(atob(content), (one) => one.charCodeAt(0)));
}

function recordOf(path, kept, content, at) {
  const text = typeof content === "string";
  const made = { created: at, mimetype: text ? "text/plain" : "application/x-ipynb+json", writable: true };
  return {
    ...made,
    ...kept,
    name: path.split("/").pop(),
    path,
    last_modified: at,
    type: text ? "file" : "notebook",
    format: text ? "text" : "json",
    content,
    size: new TextEncoder().encode(text ? content : JSON.stringify(content)).length,
  };
}

async function append(files, path, lines, at) {
  if (!lines.length) return;
  const kept = await asked(files.get(path));
  const before = kept ? plain(kept) : "";
  const added = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
  files.put(recordOf(path, kept, `${before}${before && !before.endsWith("\n") ? "\n" : ""}${added}`, at), path);
}

// An open notebook is looked at and then written: answers go in before or after both, not in between

const PATIENCE = 3_000; // ms that a save may take; it takes longer where JupyterLab asks the reader something
const MARGIN = 1000; // ms: two changes that are half a second apart are one to JupyterLab

async function alone(path, action) {
  if (!navigator.locks) return action();
  const signal = AbortSignal.timeout(PATIENCE);
  return navigator.locks.request(`attention-course-notebook/${path}`, { signal }, action).catch((error) => {
    if (error?.name === "TimeoutError") return action();
    throw error;
  });
}

/** When a file is changed, so that an open notebook with changes of its own takes it for a change. */
const later = (kept) => new Date(Math.max(Date.now(), (Date.parse(kept?.last_modified) || 0) + MARGIN)).toISOString();

// The database

const asked = (request) =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

/** Do something in one transaction; nothing of it is kept where it fails. */
async function within(mode, action) {
  const database = await opened().catch((error) => {
    throw trouble(error?.name === "QuotaExceededError" ? "full" : "forbidden", error);
  });
  try {
    const transaction = database.transaction(STORE, mode);
    const ended = new Promise((done, fail) => {
      transaction.oncomplete = done;
      transaction.onabort = () => fail(transaction.error);
    });
    ended.catch(() => {});
    try {
      await action(transaction.objectStore(STORE));
    } catch (error) {
      if (mode === "readwrite") transaction.abort();
      throw error;
    }
    await ended;
  } catch (error) {
    throw error?.name === "QuotaExceededError" ? trouble("full", error) : error;
  } finally {
    database.close();
  }
}

/** JupyterLite's database, with its store for files: made as localforage makes it, where nobody was here before. */
async function opened() {
  const name = await storage();
  let database = await open(name);
  if (database.objectStoreNames.contains(STORE)) return database;
  const { version } = database;
  database.close();
  return open(name, version + 1);
}

function open(name, version) {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => {
    if (!request.result.objectStoreNames.contains(STORE)) request.result.createObjectStore(STORE);
  };
  return asked(request);
}

/** What JupyterLite calls its database; its settings may say. */
async function storage() {
  const settings = await fetch(new URL("jupyter-lite.json", LITE)).then((answer) => answer.json()).catch(() => ({}));
  return settings["jupyter-config-data"]?.contentsStorageName ?? `JupyterLite Storage - ${LITE.pathname}`;
}
