/** A code cell that is live: it is edited and run where it is. */

import * as book from "./book.js";
import { guess } from "./guess.js";
import { keeping } from "./keeping.js";
import { offers } from "./offers.js";
import { output } from "./output.js";
import { asCode, button, part } from "./parts.js";
import { ask, blockOf, soon, stop } from "./running.js";
import { view } from "./view.js";

const cells = new Map(); // live ones, by their blocks
const THEIRS = "This result comes from the course's code. Run the cell to see yours.";

/** The live cell of a block. */
export function cell(block) {
  if (!cells.has(block)) cells.set(block, made(block));
  return cells.get(block);
}

/** Where a cell shows what it gives, by its id; `undefined` for one that has no place on the page. */
export const outputOf = (id) => (blockOf(id)?.dataset.cell ? cell(blockOf(id)).output : undefined);

function made(block) {
  const { cell: id } = block.dataset, own = book.own.has(id);
  const tools = block.querySelector(":scope > .cell-tools");
  const says = part("p"), keeps = part("p"), load = part("p");
  const input = block.querySelector(".cell_input"), fold = block.querySelector(":scope > details");
  const given = [...input.childNodes];
  let writes, keeper;
  book.notebook().catch(() => {}); // it is asked for again when it is needed
  says.className = "cell-says";
  says.setAttribute("role", "status");
  keeps.className = load.className = "cell-keeps";
  tools.after(says, load);

  const place = () => {
    let one = block.querySelector(".cell_output");
    if (one) return one;
    one = part("div");
    one.className = "cell_output docutils container";
    block.append(one);
    return one;
  };

  const here = {
    id,
    block,
    output: output(place),
    say: (...words) => says.replaceChildren(...words),
    load: (words) => (load.textContent = words),
    soon: () => soon(here, book.texts.get(id) ?? input.textContent),
    focus: () => (writes ? writes.focus() : tools.querySelector(".cell-run").focus()),
    run: () => ask(here),
    edit,
    changed,
  };

  const stops = button("Stop", () => stop());
  const starts = own ? button("Delete", remove) : button("Start again", again);
  starts.className = "cell-again";
  stops.className = "cell-stop";
  starts.hidden = !own && !book.texts.has(id);
  stops.hidden = true;
  const upTo = button("Run up to here", () => import("./several.js").then((one) => one.upTo(here)));
  tools.append(upTo, button("Edit", () => edit()), button("+ Cell", () => add(id).edit()), starts, stops);
  here.stops = stops;

  /** Puts an editor in the place of the code; where the code was clicked, one writes on there. */
  async function edit(event) {
    if (writes) return writes.focus();
    const at = event && offsetAt(event, input), shown = input.querySelector("pre").textContent.replace(/\n$/, "");
    const known = await book.notebook().then(({ cells: all }) => all.find((one) => one.id === id)).catch(() => undefined);
    if (writes) return undefined;
    const field = part("textarea"), label = part("label", own ? "Your own cell" : "Code of this cell"), host = part("div", label, field);
    host.className = "answer cell-editor";
    field.id = `text-${id}`;
    label.htmlFor = field.id;
    asCode(field);
    field.setAttribute("aria-describedby", "cell-keys");
    field.value = book.texts.get(id) ?? (known ? book.sourceOf(known) : shown);
    field.rows = field.value.split("\n").length;
    if (fold) fold.open = true;
    host.addEventListener("keydown", (one) => one.stopPropagation()); // the site has a key of its own: "/"
    input.replaceChildren(host);
    host.append(keeps);
    field.focus({ preventScroll: true });
    if (at !== undefined) field.setSelectionRange(at, at);
    writes = view(field, { changed: wrote, check: () => ask(here), next: () => ask(here).then(() => next(block)) });
    const course = known ? book.sourceOf(known) : "";
    keeper = keeping({ key: book.keyOf(id), given: course, says: (words) => (keeps.textContent = words), where: book.own.get(id) }, mirrored(), offers(keeps));
    here.soon();
    return undefined;
  }

  /** The editor as the store sees it: what comes from another tab counts as the cell's text too. */
  const mirrored = () => ({
    get text() {
      return writes.text;
    },
    set text(text) {
      writes.text = text;
      book.texts.set(id, text);
    },
  });

  function wrote() {
    book.texts.set(id, writes.text);
    starts.hidden = false;
    keeper.changed();
  }

  /** Another tab has changed the cell, or it was changed at an earlier visit. */
  function changed() {
    const text = book.texts.get(id);
    if (text === undefined) return void back();
    if (writes) return; // `keeping.js` hears of it itself
    input.replaceChildren(plain(text));
    starts.hidden = false;
    if (block.querySelector(".cell_output") && !block.matches(".was-run")) here.say(THEIRS);
  }

  function back() {
    input.replaceChildren(...given);
    keeper?.end();
    writes = keeper = undefined;
    starts.hidden = true;
    here.say("");
    here.output.back();
    block.classList.remove("was-run");
  }

  /** The course's code and result again; what was here can be brought back. */
  async function again() {
    const text = book.texts.get(id);
    await book.forget(id);
    back();
    here.focus();
    here.say("This is the course's code again. ", button("Bring mine back", () => {
      book.keep(id, text).catch(() => {});
      changed();
      here.say("");
    }));
  }

  function remove() {
    const text = book.texts.get(id), where = book.own.get(id), before = block.previousElementSibling;
    keeper?.end();
    book.forget(id);
    block.remove();
    const said = part("p", "Your cell is gone. ", button("Bring it back", () => {
      said.remove();
      book.keep(id, text, where).catch(() => {});
      shown(id);
    }));
    said.className = "cell-says";
    said.setAttribute("role", "status");
    before.after(said);
    said.querySelector("button").focus();
  }

  return here;
}

/** Which letter of the code was clicked. */
function offsetAt({ clientX, clientY }, input) {
  const at = document.caretPositionFromPoint?.(clientX, clientY) ?? rangeAt(clientX, clientY);
  if (!at || !input.contains(at.offsetNode)) return undefined;
  const range = document.createRange();
  range.selectNodeContents(input.querySelector("pre"));
  range.setEnd(at.offsetNode, at.offset);
  return range.toString().length;
}

function rangeAt(x, y) {
  const range = document.caretRangeFromPoint?.(x, y);
  return range && { offsetNode: range.startContainer, offset: range.startOffset };
}

/** The focus goes to the cell after one. */
function next(block) {
  const all = [...document.querySelectorAll(".cell[data-cell]")];
  const after = all[all.indexOf(block) + 1];
  if (after) cell(after).focus();
}

// The reader's own cells

/** Adds one below a cell, or as the last of a section. */
export function add(after, section) {
  const id = `own-${Date.now().toString(36)}`;
  book.keep(id, "", { after, section }).catch(() => {});
  return shown(id);
}

let starts; // what gives a block its tools: `cells.js` says it

export const begins = (f) => (starts = f);

/** Shows one of them where it belongs. */
function shown(id) {
  const { after, section } = book.own.get(id);
  const place = section && document.getElementById(section), above = blockOf(after)?.closest(".cell");
  const input = part("div", plain(book.texts.get(id) ?? "")), block = part("div", input);
  input.className = "cell_input docutils container";
  block.id = `cell-${id}`;
  block.className = "cell docutils container own-cell";
  if (place) place.querySelector(":scope > .cell-more").before(block);
  else if (above) above.after(block);
  else document.querySelector(".bd-article section").append(block); // the course has no such cell any more
  starts(block);
  return cell(block);
}

/** Code without colours. */
function plain(text) {
  const host = part("div", part("pre", text));
  host.className = "highlight";
  return host;
}

/** What was written at an earlier visit, and what another tab writes. */
export async function restore() {
  await book.read();
  const mine = [...book.own.keys()].sort();
  for (const id of mine) showBelow(id, mine.length);
  for (const id of book.texts.keys()) changedThere(id);
}

/** Shows a cell, and before it the one that it is below. */
function showBelow(id, deep) {
  const { after } = book.own.get(id);
  if (book.own.has(after) && !blockOf(after) && deep) showBelow(after, deep - 1);
  if (!blockOf(id)) shown(id);
}

function changedThere(id) {
  const block = blockOf(id), form = document.querySelector(`form.guess[data-cell="${CSS.escape(id)}"]`);
  if (form) return guess(form).changed();
  if (block?.dataset.cell) cell(block).changed();
  else if (book.own.has(id)) shown(id);
  if (block?.matches(".own-cell") && !book.own.has(id)) block.remove();
  return undefined;
}

book.onCell(changedThere);
