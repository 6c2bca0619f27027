// What the view of all layers is made of: colour maps, choices, and cells one can walk over.

// STOPS are the colour maps of the course's plots, nine of each: weights run from 0 to 1, the others from −largest to largest.
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
shades = Object.keys(STOPS).map((kind) => [...Array(101).keys()].map((part) => {
  const rgb = colour(kind === "weights" ? part / 100 : part / 50 - 1, kind, 1);
  return `.${kind}${part}{background:rgb(${rgb});color:${light(rgb) ? "#000" : "#fff"}}`;
}).join("")).join("");
const dress = (cell, x, kind, largest, text) => {
  const share = kind === "weights" ? x : (x / (largest || 1) + 1) / 2;
  const look = `${kind}${Math.max(0, Math.min(100, Math.round(100 * share)))}`;
  if (cell.look !== look) cell.className = cell.look = look;
  if (cell.says !== text) cell.textContent = cell.says = text;
};

const weigh = (x, digits = 2) => (x === 0 || x === 1 ? String(x) : fixed(x, digits));
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
