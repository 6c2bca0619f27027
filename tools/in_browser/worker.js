/**
 * Python for a page: its answers are checked here and its cells run here.
 *
 * Messages to it: `{id, call: "begin", record, unit, soon}`, the lines of the reader's record, the unit of the page and
 * whether a cell will "run" or "draw" next; `{id, call: "check", exercise, source, answers}`; `{id, call: "hint", exercise, rung}`; `{id, call: "first",
 * cells, cell}` and `{id, call: "run", cells, cell, draws, how}`, for which see `helpers/on_page/cells.py`.
 * From it: `{id, progress: {step, done, total}}` in bytes, `{id, out}` while a cell runs, then `{id, result}` or `{id,
 * error: {reason, message}}`. Python begins with the worker. To stop a loop that never ends the page ends the worker, and
 * begins another.
 */

const { engine, files, lock, stdlib, names, cells: forCells, drawing, recorded } = "{settings}";
const whole = (address) => new URL(address, import.meta.url).href;
const results = (exercise) => whole(`recorded/${exercise}.npz`);
const SAYS = {
  network: "Python did not come: the connection ended. Your text is kept. Connect, then try again.",
  checksum: "A part of Python came damaged. Your text is kept. Reload the page, then try again.",
  memory: "There is not enough memory for Python. Your text is kept. Close other tabs, then try again.",
  unsupported: "This browser is too old for Python. Your text is kept. Use a newer one.",
  python: "Python stopped. Your text is kept. Try again. If that does not help, reload the page.",
};

const LACKS = /matplotlib|PIL/;
const WHILE_ONE_READS = 1500; // ms after a cell, until what draws comes by itself

const begun = performance.now();
const waiting = new Set(); // the ids of messages that have no answer yet
const came = new Map(); // bytes, by address
const parts = new Map(Object.entries(files).map(([file, one]) => [whole(file), one]));
const total = [...parts.values()].reduce((sum, { bytes }) => sum + bytes, 0);
let step = "Fetching Python";
let record = ""; // of the reader, as lines
let unit = ""; // whose page it is
let book = null; // the page's cells, in Python
const packages = new Map(); // that come later, by their names

function trouble(reason) {
  return Object.assign(new Error(SAYS[reason]), { reason });
}

function tell() {
  const done = Math.min(
    total,
    [...came.values()].reduce((sum, one) => sum + one, 0),
  );
  for (const id of waiting) postMessage({ id, progress: { step, done, total } });
}

/** All parts at once; Pyodide's own requests get these. */
const wire = self.fetch.bind(self);
const coming = new Map([...parts.keys()].map((one) => [one, part(one)]));
for (const one of coming.values()) one.catch(() => {});
self.fetch = (asked, options) => {
  const here = coming.get(String(asked?.url ?? asked));
  return here ? here.then((answer) => answer.clone()) : wire(asked, options);
};

async function part(address) {
  const { sha256 } = parts.get(address);
  const answer = await wire(address, sha256 ? { integrity: `sha256-${sha256}` } : {}).catch(async () => {
    const again = await wire(address).catch(() => null);
    throw trouble(again?.ok ? "checksum" : "network");
  });
  if (!answer.ok) throw trouble("network");
  count(address, answer.clone().body.getReader()).catch(() => {});
  return answer;
}

async function count(address, reader) {
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    came.set(address, (came.get(address) ?? 0) + read.value.length);
    tell();
  }
}

const python = start();
python.catch(() => {});

async function start() {
  if (typeof WebAssembly !== "object") throw trouble("unsupported");
  const index = whole(engine);
  const script = import(`${index}pyodide.asm.mjs`).catch(() => null); // Pyodide asks for it later
  const { loadPyodide } = await import(`${index}pyodide.mjs`).catch(() => {
    throw trouble("network");
  });
  const [pyodide] = await Promise.all([
    loadPyodide({
      indexURL: index,
      lockFileContents: lock,
      packageBaseUrl: whole("./packages/"),
      stdLibURL: whole(stdlib),
      packages: names,
      stdout() {},
      stderr() {},
    }),
    script,
    ...coming.values(),
  ]);
  step = "Starting Python";
  tell();
  // the helpers say where PyTorch's stand-in is; every check draws random numbers, and typing takes longer than that
  pyodide.runPython("from helpers.on_page import calls\nimport torch, numpy.random");
  const seconds = (performance.now() - begun) / 1000;
  return { pyodide, calls: pyodide.pyimport("helpers.on_page.calls"), about: { seconds } };
}

async function answered({ id, call, ...asked }) {
  const { exercise, rung, cells, cell } = asked;
  if (call === "begin") return begin(asked);
  if (exercise) wire(results(exercise)).catch(() => {}); // the check will ask for it
  const { calls } = await python;
  if (call === "hint") return JSON.parse(calls.hint(exercise, rung));
  if (call === "check") return check(asked);
  if (call === "first") return JSON.parse((await notebook()).first(JSON.stringify(cells), cell));
  return run(id, asked);
}

async function begin({ record: lines, unit: whose, soon }) {
  record = lines ?? "";
  unit = whose ?? "";
  const { about } = await python;
  if (soon) await notebook();
  if (soon === "draw") comes(drawing).catch(() => {}); // the cell will ask again
  return about;
}

async function check({ exercise, source, answers }) {
  const { pyodide, calls } = await python;
  const others = pyodide.toPy(answers ?? {});
  try {
    const said = JSON.parse(calls.check(exercise, source, others));
    if (book) said.record = JSON.parse((await book).checked(exercise, said.passed));
    return said;
  } finally {
    others.destroy();
  }
}

/** The page's cells, in Python; what a first verdict does not need comes with the first cell. */
function notebook() {
  book ??= comes(forCells).then(async () => {
    const { pyodide } = await python;
    const one = pyodide.pyimport("helpers.on_page.cells");
    one.begin(record, unit);
    return one;
  });
  book.catch(() => (book = null)); // the next cell tries again
  return book;
}

async function run(id, { cells, cell, draws, how }) {
  const one = await notebook(), texts = JSON.stringify(cells), told = JSON.stringify(how ?? {});
  const once = () => JSON.parse(one.run(texts, cell, (out) => postMessage({ id, out: JSON.parse(out) }), told));
  if (draws) await comes(drawing);
  let said = once();
  if (said.error === "ModuleNotFoundError" && LACKS.test(said.text)) {
    await comes(drawing);
    said = once();
  }
  if (!draws) setTimeout(() => comes(drawing).catch(() => {}), WHILE_ONE_READS);
  return said;
}

/** Brings packages, once. */
function comes(names) {
  const key = names.join();
  if (!packages.has(key)) {
    const coming = python.then(async ({ pyodide }) => {
      let failed = false;
      await pyodide.loadPackage(names, { messageCallback() {}, errorCallback: () => (failed = true) });
      if (failed) throw trouble("network");
    });
    packages.set(key, coming);
    coming.catch(() => packages.delete(key));
  }
  return packages.get(key);
}

/** After the first verdict: what the unit's other checks will ask for, also without a connection. */
const kept = new Set();
async function keepUnit(exercise) {
  for (const name of recorded.find((unit) => unit.includes(exercise)) ?? []) {
    if (kept.has(name)) continue;
    kept.add(name);
    await wire(results(name)).then(
      (answer) => answer.arrayBuffer(),
      () => kept.delete(name),
    );
  }
}

function reasonOf({ reason, type, name, message }) {
  if (reason) return reason;
  if (type === "NotFetched") return "network";
  if (type === "MemoryError" || name === "RangeError" || /out of memory/i.test(message)) return "memory";
  return "python";
}

addEventListener("message", async ({ data }) => {
  const { id } = data;
  waiting.add(id);
  tell();
  try {
    const result = await answered(data);
    waiting.delete(id);
    postMessage({ id, result });
    if (data.call === "check") keepUnit(data.exercise);
  } catch (error) {
    waiting.delete(id);
    const reason = reasonOf(error);
    console.warn(error);
    postMessage({ id, error: { reason, message: SAYS[reason] } });
  }
});
