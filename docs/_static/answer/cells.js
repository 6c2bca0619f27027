/** The code cells of a page: what shows their tools, and makes a cell live when somebody means it. */

import { button, part } from "./parts.js";
import { wasHere } from "./typed.js";

const answers = new Set([...document.querySelectorAll("form.answer")].map((form) => form.dataset.exercise));
const live = () => import("./cell.js").then((one) => (one.begins(begin), one));
const OF_ITS_CARD = /-test$/;

/** A cell has one button that can be reached at any time; the others come with it. */
function begin(block) {
  block.dataset.cell = block.id.slice("cell-".length);
  const run = button("Run", () => live().then((one) => one.cell(block).run()));
  const tools = part("div", run);
  run.className = "cell-run";
  tools.className = "cell-tools";
  const code = block.querySelector(":scope > .cell_input, :scope > details");
  if (code) code.after(tools);
  else block.append(tools);
  const wake = () => live().then((one) => one.cell(block));
  block.addEventListener("pointerenter", wake, { once: true });
  block.addEventListener("focusin", wake, { once: true });
  run.addEventListener("pointerenter", () => live().then((one) => one.cell(block).soon()), { once: true });
  block.addEventListener("click", (event) => {
    for (const other of document.querySelectorAll(".cell.is-tapped")) if (other !== block) other.classList.remove("is-tapped");
    if (event.pointerType === "touch") block.classList.add("is-tapped");
    else if (getSelection().isCollapsed && event.target.closest(".cell_input pre")) live().then((one) => one.cell(block).edit(event));
  });
}

for (const block of document.querySelectorAll('.bd-article .cell[id^="cell-"]')) {
  const id = block.id.slice("cell-".length);
  const card = block.closest(".exercise-body") && (answers.has(id) || OF_ITS_CARD.test(id));
  if (!card && id !== "set-up" && !block.matches(".tag_compares")) begin(block);
}

for (const form of document.querySelectorAll("form.guess")) {
  const wake = () => import("./guess.js").then((one) => one.guess(form));
  form.addEventListener("keydown", (event) => event.stopPropagation()); // the site has a key of its own: "/"
  form.addEventListener("focusin", wake, { once: true });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    (await wake()).compare();
  });
  form.querySelector(".guess-show").addEventListener("click", async () => (await wake()).show());
}

const file = document.querySelector(".page-file");
file?.querySelector(".cells-download").addEventListener("click", () => import("./exchange.js").then((one) => one.download(file)));
file?.querySelector(".cells-open").addEventListener("click", () => import("./exchange.js").then((one) => one.open(file)));

// Where a section ends there is room for a cell of one's own

for (const section of document.querySelectorAll(".bd-article section[id]")) {
  if (section.querySelector("section")) continue;
  const more = button("+ Cell", async () => {
    const all = [...document.querySelectorAll('.cell[id^="cell-"]')];
    const above = all.filter((one) => one.compareDocumentPosition(more) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
    (await live()).add(above.id.slice("cell-".length), section.id).edit();
  });
  const line = part("div", more);
  line.className = "cell-more";
  section.append(line);
}

const came = sessionStorage.getItem("attention-course-took"); // of a file, which the page was read anew for
if (came && file) {
  file.querySelector("[role=status]").textContent = came;
  sessionStorage.removeItem("attention-course-took");
}

/** What was written at an earlier visit comes back; a first visit loads nothing for it. */
async function arrive() {
  if (await wasHere()) await live().then((one) => one.restore());
}

arrive().catch(() => {}); // whoever writes is told what this browser does not keep
