/** A card that is live: what its buttons do. */

import { hints } from "./hints.js";
import { keeping } from "./keeping.js";
import { all } from "./kept.js";
import { keep as keepRecord, machine } from "./machine.js";
import { offers } from "./offers.js";
import { alive, button, listed, part } from "./parts.js";
import { view } from "./view.js";

const forms = [...document.querySelectorAll("form.answer")];
const ENOUGH = 2; // tries, after which one may see the course's answer
let begun = false; // by the first key; where that fails, one is asked

/** All other answers there are: those that are kept, and what stands on this page. */
async function others(form) {
  const kept = await all().catch(() => []);
  const here = forms.map((one) => [one.dataset.exercise, one.elements[0]]);
  const found = new Map(kept.map(({ exercise, source }) => [exercise, source]));
  for (const [exercise, { value, defaultValue }] of here) if (value === defaultValue) found.delete(exercise); else found.set(exercise, value);
  found.delete(form.dataset.exercise);
  return Object.fromEntries(found);
}

export function card(form) {
  const { exercise } = form.dataset;
  const find = (name) => form.querySelector(`.answer-${name}`);
  const said = find("said"), panel = find("panel"), stop = find("stop"), back = find("back"), load = find("load");
  let busy = false, queued = false, tries = 0, before;

  const keys = part("span", "Ctrl+Enter checks. Escape, then Tab, leaves.");
  keys.className = "answer-keys"; // it has its room from the first: a button that moves under a finger is not pressed
  find("tools").append(keys);

  const text = view(form.elements[0], { changed, check });
  const kept = (words) => (find("kept").querySelector("span").textContent = words);
  const keep = keeping({ key: exercise, given: form.elements[0].defaultValue, says: kept }, text, offers(said));
  const hint = hints(form, (how) => run("Looking for a hint …", async () => {
    const found = await machine.ask("hint", { exercise, ...how });
    say("");
    return found;
  }, () => hint()));

  function changed() {
    keep.changed();
    if (!begun) begin();
  }

  /** Says something, with a button where `f` does something. */
  function say(words, label, f) {
    said.classList.remove("heard");
    said.replaceChildren(words);
    if (label) said.append(" ", button(label, f));
  }

  function shows({ step, done, total }) {
    const mb = (bytes) => (bytes / 1e6).toFixed(1);
    load.hidden = false;
    load.firstElementChild.max = total || 1;
    load.firstElementChild.value = total ? done : 0;
    load.lastElementChild.textContent = `${step}${total ? `: ${mb(done)} of ${mb(total)} MB` : ""}. Write on meanwhile.`;
  }

  function begin() {
    begun = true;
    return machine.begin({ shows }).then(
      () => (load.hidden = true),
      (error) => !busy && failed(error, begin),
    );
  }

  function failed(error, again) {
    load.hidden = true;
    say(error.message || "Python has stopped.", error.reason !== "stopped" && "Try again", () => (say(""), again()));
  }

  /** Does what takes Python: one thing at a time, which Stop ends. */
  async function run(words, work, again) {
    if (busy) return undefined;
    busy = true;
    stop.hidden = false;
    find("check").setAttribute("aria-disabled", true);
    say(words);
    begin();
    const result = await work().catch((error) => {
      queued = false;
      failed(error, again);
    });
    busy = false;
    if (document.activeElement === stop) find("check").focus();
    stop.hidden = true;
    find("check").removeAttribute("aria-disabled");
    if (!queued) return result;
    queued = false;
    return void check(); // of the text as it stands now
  }

  async function check() {
    if (busy) return void (queued = true);
    const result = await run("Checking …", async () => {
      await keep.now();
      return machine.ask("check", { exercise, source: text.text, answers: await others(form) });
    }, check);
    if (result) show(result);
  }

  function show({ passed, html, text: words, printed, lent = [], record }) {
    keepRecord(record);
    panel.innerHTML = html;
    for (const one of panel.querySelectorAll("script")) one.replaceWith(alive(one));
    if (printed) panel.prepend(part("pre", printed));
    if (lent.length) panel.append(part("p", "For this check the course lent ", ...listed(lent), ": yours is not there yet, or not right."));
    say(words.split("\n")[0]);
    said.classList.add("heard"); // the panel shows it
    find("next").hidden = !passed;
    if (passed) back.hidden = true;
    if (passed) for (const one of find("hints").querySelectorAll("details")) one.open = false;
    if (passed || ++tries >= ENOUGH) form.closest(".exercise-body").classList.remove("is-waiting");
    panel.scrollIntoView({ block: "nearest" });
    keep.now(passed);
  }

  return {
    exercise,
    keep,
    check,
    hint,
    stop() {
      queued = false;
      const hide = () => (load.hidden = true);
      machine.stop().then(hide, hide);
    },
    async again() {
      await keep.ready;
      before = { source: text.text, passed: keep.passed };
      text.text = form.elements[0].defaultValue;
      keep.now(false);
      panel.replaceChildren();
      find("next").hidden = true;
      back.hidden = false;
      say("");
      text.focus();
    },
    back() {
      text.text = before.source;
      keep.now(before.passed);
      text.focus();
      back.hidden = true;
    },
  };
}
