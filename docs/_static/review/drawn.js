/** Questions as elements: sentences, programs and tables, out of what `helpers/questions/data.py` writes. */

/** An element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...children);
  return one;
}

/** A sentence, in which what stands between backticks is code. */
export const worded = (text) => text.split(/`([^`\n]+)`/).map((part, place) => (place % 2 ? make("code", {}, part) : part));

/** Lines of a program with their numbers; what is wrapped goes on further in than it began. */
function program(text) {
  const lines = text.split("\n").map((line, place) => {
    const code = make("span", { style: `--in: ${line.search(/\S|$/)}` }, line);
    return make("span", { class: "line" }, make("span", { class: "no" }, `${place + 1} `), code, "\n");
  });
  return make("pre", {}, ...lines);
}

function table({ table: rows, name = "", axes, block = rows.length }) {
  const caption = [...(name ? [make("span", {}, name)] : []), ...(axes ? [make("span", { class: "axes" }, ` ${axes[0]} ╲ ${axes[1]}`)] : [])];
  const lines = rows.map((row, place) =>
    make("tr", place && place % block === 0 ? { class: "block" } : {}, ...row.map((text) => make("td", {}, text))));
  return make("table", {}, ...(caption.length ? [make("caption", {}, ...caption)] : []), make("tbody", {}, ...lines));
}

/** What is shown of a question, whatever it is. */
export function drawn(shown) {
  if (shown.code !== undefined) return program(shown.code);
  return shown.table ? table(shown) : make("p", {}, ...worded(shown));
}

/** A choice with its letter and what chooses it; a table is read out row by row, and what is `given` names its axes. */
export function choice(shown, letter, place, given) {
  const input = make("input", { type: "radio", name: "choice", value: place });
  if (shown.table) input.setAttribute("aria-label", `${letter}: ${shown.table.map((row) => row.join(", ")).join("; ")}`);
  const named = given.some(({ axes }) => String(axes) === String(shown.axes));
  const what = shown.table ? table(named ? { ...shown, axes: undefined } : shown) : make("span", {}, ...worded(shown.code ?? shown));
  return make("label", { class: "choice" }, input, make("b", {}, letter), " ", what);
}
