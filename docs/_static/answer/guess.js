/** A prediction: what one guesses and how sure one is, and then what comes out. */

import * as book from "./book.js";
import { keeping } from "./keeping.js";
import { ask, stop } from "./running.js";
import { output } from "./output.js";
import { part } from "./parts.js";

const live = new Map();

/** The live form of a prediction. */
export function guess(form) {
  if (!live.has(form)) live.set(form, made(form));
  return live.get(form);
}

function made(form) {
  const { cell, reveal } = form.dataset;
  const says = form.querySelector(".cell-says"), place = form.querySelector(".cell_output");
  const theirs = document.getElementById(`cell-${reveal}`);
  const value = (name) => new FormData(form).get(name) ?? "";
  const here = {
    id: reveal,
    output: output(() => place),
    stops: form.querySelector(".cell-stop"),
    say: (...words) => says.replaceChildren(...words),
    load: (words) => says.replaceChildren(words),
    focus: () => form.querySelector(".guess-compare").focus(),
  };
  here.stops.addEventListener("click", () => stop());
  const view = {
    get text() {
      return source(value("guess"), value("sure"));
    },
    set text(text) {
      put(form, text);
      book.texts.set(cell, text);
    },
  };
  if (book.texts.has(cell)) put(form, book.texts.get(cell));
  const keeper = keeping({ key: book.keyOf(cell), given: source("", ""), says() {} }, view, () => {});
  const wrote = () => {
    book.texts.set(cell, view.text);
    keeper.changed();
  };
  form.addEventListener("input", wrote);

  return {
    changed: () => put(form, book.texts.get(cell) ?? source("", "")),
    async compare() {
      if (!value("guess").trim()) return void here.say("Write down a guess first, even a wild one.");
      if (!value("sure")) return void here.say("Say how sure you are, too.");
      wrote();
      form.querySelector(".guess-show").hidden = true;
      return ask(here);
    },
    /** What came out when the page was made. */
    show() {
      const text = theirs.querySelector(".cell_output")?.cloneNode(true) ?? part("p");
      place.replaceChildren(...text.childNodes);
    },
  };
}

/** A guess as the cell of the notebook has it; words need no quotes here. */
export const source = (guess, sure) => `guess = ${literal(guess)}\nsure = ${sure || "..."}`;

const AS_IT_IS = /^(?:[-+]?[\d.][\d._]*(?:e[-+]?\d+)?|[-+\d.,\s]*,[-+\d.,\s]*|\(.*\)|\[.*\]|".*"|'.*'|True|False)$/i;

function literal(text) {
  const plain = text.trim();
  if (!plain) return "...";
  return AS_IT_IS.test(plain) ? plain : JSON.stringify(plain);
}

/** The other way round. */
function put(form, text) {
  const [, guess = "", sure = ""] = /^guess = (.*)\nsure = (\d?)/.exec(text) ?? [];
  const plain = guess === "..." ? "" : guess.replace(/^(["'])([^"']*)\1$/, "$2");
  const fields = [...form.elements].filter((one) => one.name === "guess");
  if (fields.length > 1) for (const one of fields) one.checked = one.value === plain;
  else fields[0].value = plain;
  for (const one of form.elements) if (one.name === "sure") one.checked = one.value === sure;
}
