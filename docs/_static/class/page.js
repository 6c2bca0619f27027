/** The page "The class, now": what is pasted is read here, in this page; nothing of it is sent or kept. */

import { make, worded } from "../review/drawn.js";
import { counted, foundIn } from "./code.js";

const course = JSON.parse(document.getElementById("class-course").textContent);
const home = document.getElementById("class-page");
const pasted = make("textarea", { id: "class-pasted", rows: 6, spellcheck: "false", autocomplete: "off", "aria-describedby": "class-how" });
const status = make("p", { role: "status" });
const shown = make("div");
const clear = make("button", { type: "button" }, "Clear");
const sentences = new Map();
let asked = 0;

/** The sentences on mistakes in a unit, fetched when a code of it is there. */
function saidIn(unit) {
  if (!sentences.has(unit)) {
    const coming = fetch(new URL(`${unit}.json`, import.meta.url)).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.json();
    });
    sentences.set(unit, coming);
    coming.catch(() => sentences.delete(unit));
  }
  return sentences.get(unit);
}

/** A name that may be broken behind each `_`. */
const breakable = (name) => name.split("_").flatMap((part, place) => (place ? ["_", make("wbr"), part] : [part]));

const learners = (count) => `${count} learner${count === 1 ? "" : "s"}`;

function drawn({ title, learners: count, rows, said }) {
  const talk = said.map(({ share, count: makers, of, where, says, now }) =>
    make("li", now ? { class: "now" } : {}, make("b", {}, `${share} %`), ` (${makers} of ${of})${now ? ": talk now. " : ". "}`,
      make("code", {}, where), ": ", ...worded(`“${says}”`)));
  const cells = ({ passed, tried, untouched }) => [passed, tried, untouched].map((one) => make("td", {}, String(one)));
  const bar = ({ passed, tried }) => make("span", { class: "bar", "aria-hidden": "true", style: `--passed: ${passed / count}; --tried: ${tried / count}` });
  const head = make("tr", {}, ...["exercise", "passed", "tried", "not yet"].map((word) => make("th", { scope: "col" }, word)));
  const body = rows.map((row) => make("tr", {}, make("th", { scope: "row" }, ...breakable(`${row.number} ${row.exercise}`), bar(row)), ...cells(row)));
  return make("section", {}, make("h2", {}, `${title}: ${learners(count)}`), ...(talk.length ? [make("ul", {}, ...talk)] : []),
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

/** Reads what is pasted; where more was pasted meanwhile, that is what is shown. */
async function read() {
  const mine = ++asked;
  if (!pasted.value.trim()) {
    shown.replaceChildren();
    status.textContent = "";
    return;
  }
  const { learners: found, notes } = foundIn(pasted.value, course);
  const units = course.units.filter(({ unit }) => found.has(unit));
  let said;
  try {
    said = await Promise.all(units.map(({ unit }) => saidIn(unit)));
  } catch {
    if (mine === asked) status.textContent = "The sentences could not be loaded: connect, then paste again. What you pasted stays.";
    return;
  }
  if (mine !== asked) return;
  const all = units.map((unit, place) => counted(unit, found.get(unit.unit), said[place]));
  const first = all.flatMap(({ said: some }) => some).find(({ now }) => now);
  const heard = all.map(({ title, learners: count }) => `${title.split(" ")[0]}: ${learners(count)}`).join(", ");
  status.textContent = [heard && `${heard}.`, first && `Talk now about ${first.where}: ${first.share} %.`, notes.length && `${notes.length} note${notes.length === 1 ? "" : "s"} below.`]
    .filter(Boolean).join(" ");
  const below = notes.length ? [make("ul", { class: "notes" }, ...notes.map((note) => make("li", {}, note)))] : [];
  shown.replaceChildren(...all.map(drawn), ...below);
}

pasted.addEventListener("input", read);
clear.addEventListener("click", () => {
  pasted.value = "";
  read();
  pasted.focus();
});
home.replaceChildren(
  make("label", { for: "class-pasted" }, "What the class posted"),
  make("p", { id: "class-how" }, "Paste all of it, names and other talk too, and paste on below it as more comes: the last code of each learner counts."),
  pasted, make("div", { class: "below" }, clear), status, shown);
read();
