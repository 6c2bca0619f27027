/** The page's file: downloaded as a notebook, and taken back. */

import * as book from "./book.js";
import { made, taken } from "./file.js";
import { all, put } from "./kept.js";
import { part } from "./parts.js";

const LARGEST = 20e6; // bytes
const say = (bar, words) => (bar.querySelector("[role=status]").textContent = words);
const FROM = "This was here before you opened the file.";

/** Downloads the unit's notebook with what the reader wrote. */
export async function download(bar) {
  try {
    await book.read().catch(() => {}); // where nothing may be kept, what is on the page counts
    const file = made(await book.notebook(), await book.all());
    const link = part("a");
    link.href = URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 1)}\n`], { type: "application/x-ipynb+json" }));
    link.download = `${book.unit}.ipynb`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(bar, `${book.unit}.ipynb is on its way to your downloads.`);
  } catch (error) {
    say(bar, error.message);
  }
}

/** Asks for a file, and takes what it has. */
export function open(bar) {
  const input = part("input");
  Object.assign(input, { type: "file", accept: ".ipynb,application/json" });
  input.addEventListener("change", () => input.files[0] && take(bar, input.files[0]));
  input.click();
}

/** Takes what a file has; where the page has something else, both are kept and the page offers the choice. */
export async function take(bar, file) {
  try {
    if (file.size > LARGEST) throw new Error(`${file.name} has ${Math.round(file.size / 1e6)} MB. A notebook of this unit has less than 20.`);
    const { answers, cells, own } = taken(await book.notebook(), await file.text(), file.name);
    if (![...answers, ...cells, ...own].length) return say(bar, `${file.name} has nothing that differs from the course's notebook.`);
    await book.read();
    const known = new Map((await all()).map((one) => [one.exercise, one]));
    for (const { id, source } of answers) await beside(id, source, known.get(id));
    for (const { id, source } of cells) await beside(book.keyOf(id), source, book.texts.has(id) && { source: book.texts.get(id), passed: false });
    for (const { id, source, after } of own) await put(book.keyOf(id), source, false, { where: { after } });
    const said = [[answers.length, "answer"], [cells.length, "changed cell"], [own.length, "cell of your own"]];
    const words = said.filter(([count]) => count).map(([count, what]) => (count === 1 ? `one ${what}` : `${count} ${what.replace(/^(answer|changed cell|cell)/, "$1s")}`));
    sessionStorage.setItem("attention-course-took", `From ${file.name} came ${words.join(" and ")}.`);
    location.reload();
  } catch (error) {
    say(bar, error.name === "QuotaExceededError" ? "This browser's store is full, so nothing was taken from the file." : error.message);
  }
  return undefined;
}

const beside = (key, source, old) =>
  put(key, source, false, old && old.source !== source ? { other: { source: old.source, passed: old.passed, from: FROM } } : {});
