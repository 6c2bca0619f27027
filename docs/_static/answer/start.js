/** The cards of a page: what was kept stands in them again, and the first touch makes one live. */

import { asCode } from "./parts.js";
import { wasHere } from "./typed.js";

const forms = [...document.querySelectorAll("form.answer")];
const awake = new Map();

/** Shows what is kept, now and from now on. */
let marking;
const mark = () => (marking ??= import("./marks.js").then(({ marks }) => marks(forms)));

/** Makes a card live; the promise has it. */
function wake(form) {
  mark().catch(() => {});
  if (!awake.has(form)) awake.set(form, import("./card.js").then(({ card }) => card(form)));
  awake.get(form).catch(() => awake.delete(form)); // the next touch tries again
  return awake.get(form);
}

for (const form of forms) {
  asCode(form.elements[0]);
  form.closest(".exercise-body")?.classList.add("is-waiting"); // its answer comes after two tries, or one that is right
  form.addEventListener("keydown", (event) => event.stopPropagation()); // the site has a key of its own: "/"
  form.addEventListener("focusin", () => wake(form), { once: true });
  form.addEventListener("input", () => wake(form));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    (await wake(form)).check();
  });
  form.addEventListener("click", async ({ target }) => {
    const [, name] = /answer-(hint|again|back|stop)/.exec(target.className) ?? [];
    if (name) (await wake(form))[name]();
  });
  form.addEventListener("offered", async ({ detail }) => (await wake(form)).keep.offer(detail, "A cell asked for this text.")); // reset()
}

const arrive = async () => (await wasHere()) && mark();

if (forms.length) arrive().catch(() => {}); // whoever writes is told what this browser does not keep
