/** The cards of a page: what was kept stands in them again, and the first touch makes one live. */

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

const AS_CODE = { spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off" };

for (const form of forms) {
  for (const [name, value] of Object.entries(AS_CODE)) form.elements[0].setAttribute(name, value);
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
}

/** Before one leaves for the notebook, all that is written is kept. */
async function leave(link, { unit }) {
  const cards = await Promise.allSettled(awake.values());
  await Promise.allSettled(cards.map(({ value }) => value?.keep.now()));
  await (await import("./beyond.js")).go(link, unit, forms);
}

async function arrive() {
  const kept = await indexedDB.databases?.(); // names of kept.js and typed.js, which a first visit does not load
  const answered = !kept || kept.some(({ name }) => name === "attention-course-answers");
  if (answered || Object.keys(localStorage).some((name) => name.startsWith("attention-course-typed:"))) await mark();
  if (!kept?.some(({ name }) => name.includes("JupyterLite"))) return; // no notebook was opened here
  const { back } = await import("./beyond.js");
  await back(forms[0].dataset.unit, async (exercise, source) => {
    const form = forms.find((one) => one.dataset.exercise === exercise);
    if (form) (await wake(form)).keep.offer(source, "Your notebook has a newer answer.");
  });
}

if (matchMedia("(max-width: 900px)").matches) // the notebook alone
  for (const link of document.querySelectorAll(".answer-notebook")) link.href = link.href.replace("/lite/lab/", "/lite/notebooks/");

if (forms.length) {
  arrive().catch(() => {}); // whoever writes is told what this browser does not keep
  for (const link of document.querySelectorAll(".answer-notebook, .workplaces .button-of")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      leave(link, forms[0].dataset).catch(() => location.assign(link.href));
    });
  }
}
