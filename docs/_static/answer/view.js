/** Where one writes: a plain text field, and from the first touch on an editor in its place. */

/** `changed` is called at each change, `check` at Control (or Command) and Enter, `next` at Shift and Enter. */
export function view(field, { changed, check, next }) {
  let shown = field, typed = true; // a text that is put in is no key press
  const said = () => {
    if (shown !== field) field.value = shown.text;
    if (typed) changed();
  };
  field.addEventListener("input", said);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    if (event.ctrlKey || event.metaKey) check();
    else if (event.shiftKey && next) (event.preventDefault(), next());
  });

  let composing = false; // a word that is half written, as with many keyboards of phones
  field.addEventListener("compositionstart", () => (composing = true));
  field.addEventListener("compositionend", () => (composing = false));
  import("./editor.js").then(
    ({ edit }) => {
      const begin = () => (shown = edit(field, { changed: said, check, next }));
      if (composing) field.addEventListener("compositionend", begin, { once: true });
      else begin();
    },
    () => {}, // without it one goes on writing in the field
  );

  return {
    get text() {
      return field.value;
    },
    set text(text) {
      typed = false;
      shown[shown === field ? "value" : "text"] = text;
      field.rows = text.split("\n").length;
      typed = true;
    },
    focus: () => shown.focus(),
  };
}
