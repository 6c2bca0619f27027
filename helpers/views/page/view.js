// What all views share: elements, numbers, what is sent to them, and the theme of the page.

const make = (name, attributes = {}, ...inside) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  // strings become text, never HTML
  element.append(...inside.filter((one) => one != null));
  return element;
};

// As Python rounds: a tie goes to the even digit.
const fixed = (x, digits) => {
  const large = x * 10 ** digits, tie = Number.isInteger(x * 2 ** (digits + 1)) && large % 1;
  return (tie ? Math.round(large / 2) * 2 / 10 ** digits : x).toFixed(digits);
};
const write = (x, digits = 2) => {
  if (x === -Infinity) return "−∞";
  if (Number.isInteger(x)) return String(x).replace("-", "−");
  const size = Math.abs(x);
  const text = size >= 1e5 ? x.toExponential(1) : fixed(x, size >= 100 ? 1 : digits);
  return text.replace("-", Number(text) ? "−" : "");
};
// Arrays come as nested lists or, where they are long, as 24-bit multiples of a step, one step for each head.
const unpack = (sent) => {
  if (Array.isArray(sent)) return sent;
  const text = atob(sent.data), [heads, ...inside] = sent.shape;
  let at = 0;
  const byte = (left) => text.charCodeAt(at++) << left;
  const part = ([count, ...rest], step) =>
    Array.from({ length: count }, () => (rest.length ? part(rest, step) : ((byte(8) | byte(16) | byte(24)) >> 8) * step));
  return Array.from({ length: heads }, (_, head) => part(inside, sent.steps[head]));
};

// Masks come as rows of bits in hexadecimal, and leave as rows of 0 and 1.
const bits = (heads, count) => heads.map((rows) => rows.map((row) =>
  BigInt(`0x${row}`).toString(2).padStart(count, "0")));

const dark = () => {
  const page = document.documentElement, lab = document.body.dataset.jpThemeLight;
  if (lab) return lab === "false";
  const mode = page.dataset.theme || page.dataset.mode;
  return mode === "dark" || (mode === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
};

let shades = "";
const show = (script, data) => {
  const host = script.parentElement;
  if (host.shadowRoot) return;
  // the styles of the page stay out, and ours stay in
  const root = host.attachShadow({ mode: "open" });
  // In JupyterLab a key would drive the notebook as well: d d deletes the cell.  Shift+Enter still runs it.
  host.addEventListener("keydown", (event) => {
    const runs = event.key === "Enter" && event.shiftKey;
    if (!runs && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
  const theme = () => host.toggleAttribute("dark", dark());
  for (const place of [document.documentElement, document.body])
    new MutationObserver(theme).observe(place, { attributes: true });
  theme();
  const view = make("section", { "aria-labelledby": "title" }, make("h3", { id: "title" }, data.title));
  if (data.note) view.append(make("p", { class: "note" }, data.note));
  root.append(make("style", {}, style + shades), view);
  build(view, data);
  // what stands on the page where scripts are stripped, if there is something
  const fixed = data.fixed ?? "A fixed picture of the start";
  if (fixed) view.append(make("details", { class: "fixed" }, make("summary", {}, fixed), make("slot")));
};
