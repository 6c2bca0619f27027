/** The cards of a page: what was kept stands in them again, and the first touch makes one live. */

const forms = [...document.querySelectorAll("form.answer")];
const answers = forms.filter((form) => !("mend" in form.dataset)); // such a one shows its wrong answer to everybody
const awake = new Map();

/** Makes a card live; the promise has it. */
function wake(form) {
  if (!awake.has(form)) awake.set(form, import("./card.js").then(({ card }) => card(form)));
  awake.get(form).catch(() => awake.delete(form)); // the next touch tries again
  return awake.get(form);
}

for (const form of forms) {
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

if (answers.length) import("./marks.js").then(({ marks }) => marks(answers));
