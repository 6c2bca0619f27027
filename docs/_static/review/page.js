/** The page "Review": a few questions a day about what is done; the reader's record stays in this browser. */

import { choice, drawn as shown, make, worded } from "./drawn.js";
import * as kept from "./kept.js";
import { A_DAY, answeredOn, dayOf, drawn, due, nextOf } from "./schedule.js";

const LETTERS = "abcd";
const course = JSON.parse(document.getElementById("review-course").textContent);
const unitOf = new Map(course.units.flatMap(([unit, , names]) => names.map((name) => [name, unit])));
const home = document.getElementById("review-page");
const stage = make("div");
const notes = make("p", { class: "notes", role: "status" });
const record = make("section", { class: "record", "aria-labelledby": "review-record" });
let onPages = new Set(); // exercises that are passed on the units' pages

const button = (text, press, look = "") => {
  const one = make("button", { type: "button", class: look }, text);
  one.addEventListener("click", press);
  return one;
};
const heading = (text) => make("h2", { tabindex: -1 }, text);
const row = (...parts) => make("div", { class: "below" }, ...parts);
const today = () => dayOf(Date.now());

/** Shows parts in the place of others; the focus goes to their heading, or at the first time stays at the top. */
function show(parts, quiet) {
  stage.replaceChildren(...parts);
  const first = stage.querySelector("h2");
  first?.focus({ preventScroll: true });
  if (!quiet) first?.scrollIntoView({ block: "nearest" });
  tell();
}

/** Exercises passed on the units' pages; nothing is opened where no answer was ever kept. */
async function passedOnPages() {
  const there = await indexedDB.databases?.();
  if (there && !there.some(({ name }) => name === "attention-course-answers")) return new Set();
  const { all } = await import("../answer/kept.js");
  return new Set((await all()).filter(({ passed }) => passed).map(({ exercise }) => exercise));
}

function known() {
  const done = kept.units() ?? [];
  return new Set([...onPages, ...course.units.filter(([unit]) => done.includes(unit)).flatMap(([, , names]) => names)]);
}

// What is asked

const pools = new Map();

/** The questions of a unit, fetched when they are asked. */
function poolOf(unit) {
  if (!pools.has(unit)) {
    const coming = fetch(new URL(`${unit}.json`, import.meta.url)).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.json();
    });
    pools.set(unit, coming);
    coming.catch(() => pools.delete(unit));
  }
  return pools.get(unit);
}

/** The next question, or what is said where there is none. */
async function next(quiet) {
  const asked = kept.asked(), passed = known();
  if (!passed.size) return choose(quiet);
  for (const exercise of due(course, passed, asked, today())) {
    let pool;
    try {
      pool = await poolOf(unitOf.get(exercise));
    } catch {
      const says = make("p", {}, "The questions could not be loaded: connect, then try again.");
      return show([heading("No questions yet."), says, row(button("Try again", () => next()))], quiet);
    }
    const question = drawn(pool.questions, exercise, nextOf(course, exercise, asked), asked);
    if (question) return ask(question, pool.places[exercise], quiet);
  }
  const says = "What you have done was asked about in the last days. Come back tomorrow.";
  return show([heading("Nothing is due today."), make("p", {}, says)], quiet);
}

function ask(question, place, quiet) {
  const number = (answeredOn(kept.asked(), today()).length % A_DAY) + 1;
  const choices = question.choices.map((one, at) => choice(one, LETTERS[at], at, question.given));
  const tables = question.choices.some((one) => one.table);
  const group = make("div", { class: tables ? "choices tables" : "choices", role: "radiogroup", "aria-labelledby": "review-asks" }, ...choices);
  const levels = [["a guess", 1], ["fairly", 2], ["certain", 3]].map(([text, value]) => make("label", {}, make("input", { type: "radio", name: "sure", value }), ` ${text}`));
  const sure = make("fieldset", { class: "sure" }, make("legend", {}, "How sure are you?"), ...levels);
  const check = make("button", { class: "main" }, "Check");
  const last = LETTERS[question.choices.length - 1];
  const keys = make("span", { class: "keys not-on-a-phone" }, `Keys: a to ${last}, then Enter.`);
  const given = question.given.length ? [make("div", { class: "given" }, ...question.given.map(shown))] : [];
  const below = row(check, sure, keys);
  const verdict = make("div", { class: "verdict", role: "status" });
  const after = make("div");
  const form = make("form", { class: "question" },
    heading(`Question ${number} of ${A_DAY}.`), make("p", { id: "review-asks" }, ...worded(question.asks)), ...given, group, below);

  form.addEventListener("keydown", (event) => {
    const { key, target } = event, at = LETTERS.indexOf(key.toLowerCase());
    if (event.ctrlKey || event.metaKey || event.altKey || !below.isConnected) return;
    if (key.length === 1 && at >= 0 && at < choices.length) choices[at].control.click();
    else if (key === "Enter" && target.matches("h2")) form.requestSubmit();
    else return;
    if (key !== "Enter") choices[at].control.focus();
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = choices.findIndex(({ control }) => control.checked);
    if (!below.isConnected) return;
    if (chosen < 0) verdict.replaceChildren(make("p", {}, `Choose one of a to ${last} first.`));
    else answered(chosen);
  });

  function answered(chosen) {
    const right = chosen === question.right;
    const level = Number(sure.querySelector(":checked")?.value ?? 0);
    const { exercise, kind, seed } = question;
    kept.add({ exercise, kind, seed, right, sure: level, at: kept.now() });
    below.remove();
    for (const [at, one] of choices.entries()) {
      one.control.disabled = true;
      if (at === question.right) one.classList.add("is-right"), one.append(make("i", {}, "✓ right"));
      else if (at === chosen) one.classList.add("is-wrong"), one.append(make("i", {}, "✗ yours"));
    }
    const title = right ? "Right." : `Not this time: ${LETTERS[question.right]} is right.`;
    verdict.classList.add(right ? "is-right" : "is-wrong");
    verdict.replaceChildren(
      make("p", {}, make("strong", {}, title), " ", ...worded(question.why)),
      make("p", {}, make("a", { href: place[1] }, ...worded(place[0]))));
    const pair = right ? [] : [["yours", chosen], ["the right one", question.right]]
      .map(([name, at]) => ({ ...question.choices[at], name })).filter((one) => one.table);
    const pictures = [...question.after, ...pair];
    if (pictures.length) after.append(make("div", { class: "given" }, ...pictures.map(shown)));
    const done = answeredOn(kept.asked(), today()).length;
    if (done % A_DAY) {
      after.append(row(button("Next question", () => next(), "main"), make("span", { class: "keys" }, "You may stop at any time.")));
      after.querySelector("button").focus({ preventScroll: true });
    } else {
      after.append(...ended("That is all for today."));
      after.querySelector("h2").focus({ preventScroll: true });
    }
    verdict.scrollIntoView({ block: "nearest" });
    tell();
  }

  show([form, verdict, after], quiet);
}

/** What is said when the day's questions are answered. */
function ended(title) {
  const of = answeredOn(kept.asked(), today()), right = of.filter((one) => one.right).length;
  const again = right < of.length ? " What you missed comes again tomorrow." : "";
  return [heading(title), make("p", {}, `${right} of ${of.length} right.${again}`), row(button("Four more", () => next()))];
}

/** Asks which units are done. */
function choose(quiet) {
  const done = kept.units() ?? [];
  const boxes = course.units.map(([unit, title, names]) => {
    const box = make("input", { type: "checkbox", value: unit });
    box.checked = done.includes(unit);
    const passed = names.filter((name) => onPages.has(name)).length;
    return make("label", {}, box, `${unit.slice(0, 2)} ${title}`, ...(passed ? [make("small", {}, ` ${passed} passed on its page`)] : []));
  });
  const says = make("p", { role: "status" });
  const title = heading("Which units have you done?");
  title.id = "review-units";
  const form = make("form", { class: "units", "aria-labelledby": "review-units" },
    title, make("p", {}, "You are asked about these, and about exercises that you have passed on the units' pages."),
    make("div", { role: "group", "aria-labelledby": "review-units" }, ...boxes), row(make("button", { class: "main" }, "Ask me")), says);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    kept.setUnits(boxes.filter(({ control }) => control.checked).map(({ control }) => control.value));
    if (known().size) return begin();
    says.textContent = "Choose a unit that you have done, or come back after the first.";
    return tell();
  });
  show([form], quiet);
}

/** Where one is on this day: in the middle of the questions, or behind them. */
function begin(quiet = false) {
  const done = answeredOn(kept.asked(), today()).length;
  if (done && done % A_DAY === 0) return show(ended("Today's four are answered."), quiet);
  return next(quiet);
}

// The record

const said = make("p", { role: "status" });
const count = make("p");

function tell() {
  const { length } = kept.asked();
  count.textContent = length
    ? `This browser alone has your record: ${length} ${length === 1 ? "answer" : "answers"}.`
    : "Your answers stay in this browser alone.";
  notes.textContent = kept.notes().join(" ");
  if (notes.textContent.includes("until you leave")) count.textContent = `${length} answered.`;
}

function take() {
  const answers = kept.asked();
  if (!answers.length) return said.replaceChildren("There is no answer to take along yet: answer a question first.");
  const link = make("a", { download: "progress.jsonl", href: URL.createObjectURL(new Blob([kept.lines(answers)])) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  return said.replaceChildren(...worded("Put `progress.jsonl` beside the folders of the units, such as `05_softmax`. Where there is one already, append these lines to its end."));
}

function remove() {
  const undo = kept.forget();
  const back = button("Undo", () => {
    undo();
    said.replaceChildren("Your record is back.");
    begin();
  });
  said.replaceChildren("Deleted. Until you leave this page it can be brought back: ", back);
  choose(true);
  back.focus();
}

record.append(
  make("h2", { id: "review-record" }, "Your record"), count,
  row(button("Change the units", () => choose()), button("Take it along", take), button("Delete this record", remove)), said);
home.addEventListener("keydown", (event) => event.key === "Enter" && event.repeat && event.preventDefault()); // one press, one answer
home.replaceChildren(notes, stage, record);
kept.onChange(tell);
onPages = await passedOnPages().catch(() => onPages); // whoever writes an answer there is told
if (kept.units()) begin(true);
else choose(true);
