/** How cells run: one at a time, each after what it needs; what takes long is asked first. */

import * as book from "./book.js";
import { outputOf } from "./cell.js";
import { keep, machine } from "./machine.js";
import { button, part } from "./parts.js";

const DRAWS = /\b(plots|matplotlib|plt|PIL|training|explore_layers)\b/;
export const LONG = 5; // seconds: what takes longer is asked about before it runs for another cell
const took = new Map(Object.entries(JSON.parse(document.getElementById("cell-keys").dataset.long)));
export const blockOf = (id) => document.getElementById(`cell-${id}`);
const QUIET = /^(set-up|.*-few-test|.*-test)$/;
let runs = null; // the cell that runs now
let drew = false; // whether something was drawn: what draws is there

export const draws = (source) => DRAWS.test(source);
export const secondsOf = (id) => took.get(id) ?? 0;

/** Python begins when somebody means to run a cell. */
export function soon(here, source = "") {
  return machine.begin({ soon: draws(source) ? "draw" : "run", shows: (progress) => here.load(inWords(progress)) }).then(
    () => here.load(""),
    () => here.load(""), // the run will say it
  );
}

const inWords = ({ step, done, total }) => (total ? `${step}: ${(done / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB.` : step);

/** Ends whatever runs; what was written stays. */
export function stop() {
  machine.stop().catch(() => {});
}

/** Does work that takes Python, shown at a cell; gives what it gives, or nothing where Python ended. */
export async function alone(here, work) {
  if (runs) {
    here.say("Another cell is running. ", button("Stop it", () => stop()));
    return undefined;
  }
  runs = here;
  here.stops.hidden = false;
  here.say("");
  try {
    return await work();
  } catch (error) {
    here.say(error.message || "Python stopped. Run the cell again.");
    return undefined;
  } finally {
    runs = null;
    if (document.activeElement === here.stops) here.focus();
    here.stops.hidden = true;
    for (const one of document.querySelectorAll(".is-running")) one.classList.remove("is-running");
  }
}

/** Runs a cell, and asks first where it needs one that takes long. */
export const ask = (here, how) =>
  alone(here, async () => {
    here.load("Starting Python.");
    await soon(here, (await book.code()).find(({ id }) => id === here.id)?.source);
    const cells = await book.code();
    const first = await machine.ask("first", { cells, cell: here.id });
    const without = await choose(here, first.filter((id) => secondsOf(id) > LONG));
    if (!without) return undefined;
    const said = await once(here, cells, { without }, first);
    here.say(...sentence(said));
    return said;
  });

/** Runs a cell; `how` goes to Python, `first` are the cells that will run before it. */
export async function once(here, cells, how, first = []) {
  const asked = new Set([here.id, ...first]);
  const drawn = cells.some(({ id, source }) => asked.has(id) && id !== "set-up" && draws(source));
  if (drawn && !drew) here.load("Loading what draws figures.");
  const said = await machine.ask("run", { cells, cell: here.id, draws: drawn, how }, (out) => {
    here.load("");
    shown(out, here);
  });
  drew ||= drawn;
  await keep(said.record);
  return said;
}

/** What comes from Python while cells run. */
function shown({ cell, kind, ...words }, here) {
  const block = blockOf(cell), place = here.id === cell ? here.output : outputOf(cell);
  if (kind === "begin") {
    block?.classList.add("is-running");
    place?.begin();
  } else if (kind === "end") {
    took.set(cell, Math.max(words.seconds, 0));
    place?.end();
    block?.classList.remove("is-running", "is-stopped");
    block?.classList.add("was-run");
    if (words.failed) block?.classList.add("is-stopped");
  } else place?.take({ kind, ...words });
}

/** Asks whether cells that take long shall run too; gives those that shall not, or nothing where nobody wants any of it. */
export function choose(here, long, [one, more] = ["This cell needs an earlier cell that takes", "This cell needs # earlier cells that take"]) {
  if (!long.length) return [];
  const seconds = long.reduce((sum, id) => sum + secondsOf(id), 0);
  const says = long.length === 1 ? one : more.replace("#", long.length);
  return new Promise((done) => {
    const choice = (label, value) => button(label, () => (here.say(""), done(value)));
    const run = choice(long.length === 1 ? "Run it too" : "Run them too", []);
    here.load("");
    here.say(`${says} about ${inTime(seconds)}. `, run, " ", choice("Run without", long), " ", choice("Not now", null));
    run.focus();
  });
}

const inTime = (seconds) => (seconds < 90 ? `${Math.ceil(seconds / 5) * 5} seconds` : `${Math.round(seconds / 60)} minutes`);

/** What is said of a run: which cells ran before, or which one stopped. */
function sentence({ first = [], stopped, text }) {
  if (stopped) return ["This cell did not run, because ", jump(stopped), ` stopped first: ${text}`];
  const seen = first.filter((id) => !QUIET.test(id) && !(book.texts.get(id) ?? "").startsWith("guess ="));
  if (!seen.length) return [];
  return [seen.length === 1 ? "An earlier cell ran first, because this one needs it." : `${seen.length} earlier cells ran first, because this one needs them.`];
}

const channel = typeof BroadcastChannel === "undefined" ? {} : new BroadcastChannel("attention-course-notebook");

/** `hand_in()` in a cell asks for the page's file, `reset()` puts a text beside an answer. */
channel.onmessage = ({ data }) => {
  const { handIn, put = {} } = JSON.parse(data);
  if (!runs) return; // a cell of another tab asks
  if (handIn === book.unit) import("./exchange.js").then((one) => one.download(document.querySelector(".page-file")));
  for (const [exercise, detail] of Object.entries(put)) {
    const form = document.querySelector(`form.answer[data-exercise="${CSS.escape(exercise)}"]`);
    form?.dispatchEvent(new CustomEvent("offered", { detail }));
  }
};

/** A link to a cell. */
export function jump(id, words = "a cell above") {
  const one = part("a", words);
  const there = blockOf(id) ?? document.querySelector(`form.answer[data-exercise="${CSS.escape(id)}"]`);
  one.href = `#${there?.id || there?.closest("section")?.id || ""}`;
  return one;
}
