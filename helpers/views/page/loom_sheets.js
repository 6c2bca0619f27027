// A stage on the page: a table of numbers or, of many, a picture. `loom` knows what is chosen, and takes what is done.

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  Home: [0, -1e9], End: [0, 1e9] };
const PULLS = { "+": 0.5, "=": 0.5, "-": -0.5 };
const limit = (x, least, most) => Math.max(least, Math.min(most, x));

// shades as classes: a browser changes a class faster than a colour
shades = range(26).map((k) => `.s${k}{--a:${4 * k}}`).join("");
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Pulling: by mouse on a number, by touch on the handle alone, so that a finger can scroll.
const pullable = (element, loom, place) => element.addEventListener("pointerdown", (down) => {
  if (down.pointerType !== "mouse" && element.tagName === "TD") return;
  const at = place(), from = loom.number(at);
  element.setPointerCapture(down.pointerId);
  element.onpointermove = (event) => loom.pull(from + Math.round((down.clientY - event.clientY) / 12) / 2, at);
  element.onlostpointercapture = () => { element.onpointermove = null; };
});
const listen = (name, R, C, loom) => (event) => {
  const [at, i, j] = loom.at(), move = MOVES[event.key], pull = PULLS[event.key], here = at === name ? [name, i, j] : [name, 0, 0];
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (move) loom.choose([name, limit(here[1] + move[0], 0, R - 1), limit(here[2] + move[1], 0, C - 1)], true);
  else if ([" ", "Enter"].includes(event.key) && !event.shiftKey) loom.press(here);
  else if (pull && loom.pulls(name)) loom.pull(loom.number(here) + pull, here);
  else return;
  event.preventDefault();
};

const table = (name, R, C, loom) => {
  const cells = range(R).map((i) => range(C).map((j) => {
    const place = [name, i, j], cell = make("td", { onclick: () => loom.press(place), onpointerover: (event) => loom.hint(event, place) });
    cell.was = {};
    if (loom.pulls(name)) pullable(cell, loom, () => place);
    return cell;
  }));
  const sums = name === "weights" ? cells.map(() => make("td", { class: "sum" })) : [];
  const [down, across] = loom.labels(name).map((labels, k) => range(k ? C : R).map((at) => {
    const text = labels?.[at] ?? String(at);
    return make("th", { scope: k ? "col" : "row", title: text }, make("span", {}, text));
  }));
  const most = Math.max(R, C), element = make("table", { role: "grid", "aria-label": name, style: `--n: ${C}`, class: most > 8 ? "many" : most > 6 ? "some" : "", onkeydown: listen(name, R, C, loom), onpointerleave: loom.hint },
    make("thead", {}, make("tr", {}, make("td"), ...across, sums[0] && make("th", { scope: "col" }, "Σ"))),
    make("tbody", {}, ...cells.map((row, i) => make("tr", {}, down[i], ...row, sums[i]))));
  const draw = (stage, first, { wrong, from, moved, most, near }) => {
    const [on, a, b] = loom.at(), bit = name === "allowed", pull = loom.pulls(name);
    cells.forEach((row, i) => row.forEach((cell, j) => {
      const at = first + i * C + j, x = stage?.data[at], chosen = on === name && a === i && b === j;
      const signs = { minus: x < 0, off: x === -Infinity || (bit && !x), pull, at: chosen, from: from?.[at], ne: wrong?.[at] };
      let look = `s${Number.isFinite(x) ? Math.min(25, Math.round(25 * Math.abs(x) / most / (bit ? 3 : 1))) : 0}`;
      for (const one in signs) if (signs[one]) look += ` ${one}`;
      if (moved?.[at] && !still.matches) cell.animate({ boxShadow: ["0 0 0 4px", "none"] }, 600);
      // only what differs is touched: style and layout cost more than all the numbers
      const set = (key, value) => { if (cell.was[key] !== value) cell[key] = cell.was[key] = value; };
      set("className", look);
      if (cell.was.x !== x) set("textContent", stage ? (bit ? "×✓"[x] : brief(x)) : "");
      cell.was.x = x;
      set("tabIndex", chosen || (on !== name && !(i + j)) ? 0 : -1);
      set("ariaSelected", chosen);
      set("ariaLabel", chosen ? `${name}, ${down[i].title}, ${across[j].title}: ${cell.textContent}` : null);
    }));
    if (sums[0] && stage) sums_of(stage).slice(first / C, first / C + R).forEach((sum, i) => {
      const good = adds_up(sum, near);
      sums[i].textContent = good ? `${Math.round(sum)} ✓` : `${brief(sum)} ✗`;
      sums[i].classList.toggle("bad", !good);
    });
  };
  return { element, draw, there: () => cells[loom.at()[1]][loom.at()[2]] };
};

const picture = (name, R, C, loom) => {
  const size = limit(Math.floor(250 / Math.max(R, C)), 2, 12), place = ({ offsetX: x, offsetY: y }) => [name, limit(Math.floor(y / size), 0, R - 1), limit(Math.floor(x / size), 0, C - 1)];
  const element = make("canvas", { tabindex: 0, role: "application", "aria-label": `${name}, ${R} × ${C}`,
    width: C * size, height: R * size, onkeydown: listen(name, R, C, loom),
    onclick: (event) => loom.press(place(event)), onpointermove: (event) => loom.hint(event, place(event)), onpointerleave: loom.hint });
  const draw = (stage, first, { wrong, from, most }) => {
    const brush = element.getContext("2d"), style = getComputedStyle(element), ink = (key) => style.getPropertyValue(`--${key}`);
    const [role, soft, bad] = ["c", "soft", "bad"].map(ink);
    brush.clearRect(0, 0, element.width, element.height);
    for (let at = first; stage && at < first + R * C; at += 1) {
      const x = stage.data[at], ne = wrong?.[at], colour = ne ? bad : x < 0 ? soft : role;
      if (brush.colour !== colour) brush.fillStyle = brush.colour = colour;
      // what the chosen entry is made from stands out
      brush.globalAlpha = (x === -Infinity ? 0.1 : Math.max(ne ? 0.3 : 0, Math.sqrt(Math.abs(x) / most) * 0.9)) * (!from || from[at] ? 1 : 0.5);
      brush.fillRect((at - first) % C * size, Math.floor((at - first) / C) * size, size, size);
    }
    brush.globalAlpha = 1;
    [brush.strokeStyle, brush.lineWidth] = [ink("ink"), 2];
    const [on, i, j] = loom.at();
    if (on === name) brush.strokeRect(j * size - 1, i * size - 1, size + 2, size + 2);
  };
  return { element, draw, there: () => element };
};

const sheet = (name, R, C, loom) => {
  const part = (Math.max(R, C) > 16 ? picture : table)(name, R, C, loom), note = make("span");
  return { ...part, note, size: `${R} × ${C}`, figure: make("figure", { style: `--c: var(--${loom.stages[name].role})` }, make("figcaption", {}, make("b", {}, name), " ", note), part.element) };
};
