// What all views share: elements, numbers, colours, the theme of the page, and cells one can walk over.

const make = (name, attributes = {}, ...inside) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...inside.filter((one) => one != null));  // strings become text, never HTML
  return element;
};

// As Python rounds: a tie goes to the even digit.
const fixed = (x, digits) => {
  const tie = x * 2 ** (digits + 1), low = Math.trunc(x * 10 ** digits);
  if (!Number.isInteger(tie) || tie % 2 === 0) return x.toFixed(digits);
  return ((low % 2 ? low + Math.sign(x) : low) / 10 ** digits).toFixed(digits);
};
const weigh = (x, digits = 2) => (x === 0 || x === 1 ? String(x) : fixed(x, digits));
const write = (x, digits = 2) => {
  if (x === -Infinity) return "−∞";
  if (Number.isInteger(x)) return String(x).replace("-", "−");
  const size = Math.abs(x);
  const text = size >= 1e5 ? x.toExponential(1) : fixed(x, size >= 100 ? 1 : digits);
  if (Number(text) === 0) return text.replace("-", "");
  return text.replace("-", "−");
};
// A number in the middle of a sum: a minus needs its brackets.
const factor = (x) => (x < 0 ? `(${write(x)})` : write(x));

// The colour maps of the course's plots, in nine stops each: weights run from 0 to 1, the others from −largest to largest.
const STOPS = {
  weights: "ffffd9 edf8b1 c6e9b4 7ecdbb 40b5c4 1d90c0 225da8 243392 081d58",
  scores: "7f3b08 be630a ef9e3c fed7a2 f6f6f7 cecde4 988dbe 5d3790 2d004b",
  values: "543005 995d13 cfa256 f1dfb3 f4f5f5 b4e2db 58b0a7 0c7169 003c30",
};
for (const [kind, stops] of Object.entries(STOPS))
  STOPS[kind] = stops.split(" ").map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));
const colour = (x, kind, largest) => {
  const share = kind === "weights" ? x : (x / (largest || 1) + 1) / 2;
  const at = 8 * Math.max(0, Math.min(1, share)), low = Math.min(7, Math.floor(at));
  return STOPS[kind][low].map((part, i) => Math.round(part + (STOPS[kind][low + 1][i] - part) * (at - low)));
};
const light = (rgb) => {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18;
};
// A hundred shades of each kind, as classes: a browser changes a class of 4096 cells faster than their colours.
const shades = Object.keys(STOPS).map((kind) => [...Array(101).keys()].map((part) => {
  const rgb = colour(kind === "weights" ? part / 100 : part / 50 - 1, kind, 1);
  return `.${kind}${part}{background:rgb(${rgb});color:${light(rgb) ? "#000" : "#fff"}}`;
}).join("")).join("");
const dress = (cell, x, kind, largest, blocked, text) => {
  const share = !Number.isFinite(x) ? 0.5 : kind === "weights" ? x : (x / (largest || 1) + 1) / 2;
  const look = `${kind}${Math.max(0, Math.min(100, Math.round(100 * share)))}${blocked ? " blocked" : ""}`;
  if (cell.look !== look) cell.className = cell.look = look;
  if (cell.says !== text) cell.textContent = cell.says = text;
};

// Arrays come as nested lists or, where they are long, as 24-bit multiples of a step, one step for each head.
const unpack = (sent) => {
  if (Array.isArray(sent)) return sent;
  const text = atob(sent.data), [heads, ...inside] = sent.shape;
  let at = 0;
  const number = (step) => {
    const [low, middle, high] = [0, 1, 2].map((place) => text.charCodeAt(at + place));
    at += 3;
    return (((high << 24) | (middle << 16) | (low << 8)) >> 8) * step;
  };
  const part = ([count, ...rest], step) =>
    Array.from({ length: count }, () => (rest.length ? part(rest, step) : number(step)));
  return Array.from({ length: heads }, (_, head) => part(inside, sent.steps[head]));
};

// Masks come as rows of bits in hexadecimal, and leave as rows of 0 and 1.
const bits = (heads, count) => heads.map((rows) => rows.map((row) =>
  BigInt(`0x${row}`).toString(2).padStart(count, "0")));

const tokens = (labels) => labels.map((label, place) => `${place} ${label}`);
const cut = (text) => ([...text].length > 24 ? `${[...text].slice(0, 23).join("")}…` : text);
const choice = (label, role, labels, chosen) => {
  const select = make("select", { "aria-label": label, onchange: () => chosen(select.selectedIndex) },
    ...labels.map((text) => make("option", { value: text, title: text }, cut(text))));
  return [make("label", { class: role }, make("b", {}, label), select), select];
};

// A table of cells: one is current, arrow keys and clicks move it. `moved(row, column)` is told.
const grid = (caption, rows, columns, names, moved) => {
  const most = Math.max(rows.length, columns.length), small = most > 16;
  const cells = rows.map((_, i) => columns.map((_, j) =>
    make("td", { tabindex: -1, onclick: () => go(i, j) })));
  const heads = columns.map((text) => make("th", { scope: "col", title: text }, cut(text)));
  const lines = rows.map((text, i) => make("tr", {}, make("th", { scope: "row", title: text }, cut(text)), ...cells[i]));
  const table = make("table", { role: "grid", class: most > 32 ? "small tiny" : small ? "small" : "" },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "note" }, `${names[0]} ╲ ${names[1]}`),
      ...heads)),
    make("tbody", {}, ...lines));
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    Home: [0, -1e9], End: [0, 1e9], PageUp: [-1e9, 0], PageDown: [1e9, 0] };
  let at = [0, 0];
  const inside = (x, count) => Math.max(0, Math.min(count - 1, x));
  const go = (i, j) => { moved(i, j); cells[at[0]][at[1]].focus(); };
  table.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(inside(at[0] + move[0], rows.length), inside(at[1] + move[1], columns.length));
  });
  const mark = (i, j, says) => {
    const [was] = [cells[at[0]][at[1]]];
    was.classList.remove("at");
    was.setAttribute("tabindex", -1);
    was.removeAttribute("aria-selected");
    was.removeAttribute("aria-label");
    lines[at[0]].classList.remove("on");
    heads[at[1]].classList.remove("on");
    at = [i, j];
    cells[i][j].classList.add("at");
    cells[i][j].setAttribute("tabindex", 0);
    cells[i][j].setAttribute("aria-selected", "true");
    cells[i][j].setAttribute("aria-label", says);
    lines[i].classList.add("on");
    heads[j].classList.add("on");
  };
  return { table, cells, small, mark };
};

// A table to read: the first column holds the names of the rows.
const list = (caption, heads, rows, on = -1) => make("table", { class: "list" },
  make("caption", {}, caption),
  make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)))),
  make("tbody", {}, ...rows.map((row, i) => make("tr", { class: i === on ? "on" : "" },
    ...row.map((one, j) => make(j ? "td" : "th", j ? {} : { scope: "row" }, one))))));

const dark = () => {
  const page = document.documentElement, lab = document.body.dataset.jpThemeLight;
  if (lab) return lab === "false";
  const mode = page.dataset.theme || page.dataset.mode;
  return mode === "dark" || (mode === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
};

let count = 0;
const show = (script, style, data) => {
  const host = script.parentElement;
  if (host.shadowRoot) return;
  const root = host.attachShadow({ mode: "open" });  // the styles of the page stay out, and ours stay in
  // In JupyterLab a key would drive the notebook as well: d d deletes the cell.  Shift+Enter still runs it.
  host.addEventListener("keydown", (event) => {
    const runs = event.key === "Enter" && event.shiftKey;
    if (!runs && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });
  const theme = () => host.toggleAttribute("dark", dark());
  for (const place of [document.documentElement, document.body])
    new MutationObserver(theme).observe(place, { attributes: true });
  theme();
  const title = `title-${(count += 1)}`;
  const view = make("section", { "aria-labelledby": title }, make("h3", { id: title }, data.title));
  if (data.note) view.append(make("p", { class: "note" }, data.note));
  root.append(make("style", {}, style + shades), view);
  build(view, data);
  view.append(make("details", {}, make("summary", {}, "A fixed picture of the start"), make("slot")));
};
