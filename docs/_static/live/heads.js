// The 72 heads beside the picture: each a small map of who looks at whom, a switch, and a bar of what it does.

import { HEADS, LAYERS, named } from "./picture.js";

const make = (name, attributes = {}, ...inside) => {
  const one = document.createElement(name);
  for (const key in attributes) one.setAttribute(key, attributes[key]);
  one.append(...inside);
  return one;
};

export const stop = (button, here) => (here ? button.removeAttribute("tabindex") : button.setAttribute("tabindex", -1));
// One tab stop for a group of buttons; arrow keys move in it. `across` is how many stand side by side.
export const roving = (group, across) => {
  const all = () => [...group.querySelectorAll("button")];
  group.addEventListener("keydown", (event) => {
    const buttons = all(), at = buttons.indexOf(event.target), wide = across();
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide, Home: -at, End: buttons.length - 1 - at }[event.key];
    if (at < 0 || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    buttons[at + step]?.focus();
  });
  group.addEventListener("focusin", ({ target }) => all().forEach((one) => stop(one, one === target)));
};

// Makes the buttons. `on.press(head)` when one is pressed, `on.rest(head or null)` when a mouse or the focus rests on one.
export const board = (place, on) => {
  const tiles = [];
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const row = make("div", { class: "layer" }, make("span", { "aria-hidden": "true" }, String(layer)));
    for (let head = 0; head < HEADS; head += 1) {
      const tile = make("button", { type: "button", class: "head" }, make("canvas", { "aria-hidden": "true" }), make("i"));
      stop(tile, !tiles.length);
      tiles.push(tile);
      row.append(tile);
    }
    place.append(row);
  }
  const of = ({ target }) => tiles.indexOf(target.closest(".head"));
  place.addEventListener("click", (event) => of(event) >= 0 && on.press(of(event)));
  for (const [into, out] of [["focusin", "focusout"], ["mouseover", "mouseleave"]]) {
    place.addEventListener(into, (event) => of(event) >= 0 && on.rest(of(event), into === "focusin"));
    place.addEventListener(out, () => on.rest(null));
  }
  roving(place, () => (getComputedStyle(place).getPropertyValue("--across").trim() === "6" ? 6 : HEADS));
  return tiles;
};

// The maps: the more weight, the stronger the colour, of its root, so that small weights are seen too.
export const maps = (tiles, { tokens: { length: n }, weights }) => {
  const [r, g, b] = getComputedStyle(tiles[0]).getPropertyValue("--live-map").split(/[ ,]+/).filter(Boolean).map(Number);
  tiles.forEach((tile, head) => {
    const canvas = tile.firstChild, brush = canvas.getContext("2d");
    canvas.width = canvas.height = n;
    const image = brush.createImageData(n, n);
    for (let at = 0; at < n * n; at += 1) {
      const strength = Math.sqrt(Math.min(1, Math.abs(weights[head * n * n + at])));
      image.data.set([r, g, b, 255 * strength], 4 * at);
    }
    brush.putImageData(image, 0, 0);
  });
};

const signed = (x) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;
// Switches and bars: from the left where the two are more alike without the head, from the right where less.
export const switches = (tiles, off, effect, most) => {
  const size = effect ? effect.reduce((a, x) => Math.max(a, Math.abs(x)), 1e-3) : 1;
  tiles.forEach((tile, head) => {
    const change = effect?.[head], bar = tile.lastChild, is_off = off.has(head);
    tile.setAttribute("aria-pressed", is_off);
    tile.setAttribute("aria-label", `${named(head)}, ${is_off ? "off" : "on"}${change === undefined ? "" : `; without it the cosine changes by ${signed(change)}`}`);
    tile.classList.toggle("most", head === most);
    bar.className = change === undefined ? "" : change >= 0 ? "alike" : "apart";
    bar.style.width = change === undefined ? "" : `${Math.max(2, 100 * Math.abs(change) / size)}%`;
  });
};

// What a head does on this sentence, in words: where most of its weight goes, if half of it goes one way.
export const habit = ({ tokens, weights }, head) => {
  const n = tokens.length, ways = { "rests on [CLS] and [SEP]": 0, "looks at the token before": 0, "looks at the token itself": 0, "looks at the token after": 0, "looks at the same word elsewhere": 0 };
  for (let i = 0; i < n; i += 1) for (let j = 0; j < n; j += 1) {
    const weight = weights[(head * n + i) * n + j] / n;
    const way = j === i - 1 ? 1 : j === i + 1 ? 3 : j === 0 || j === n - 1 ? 0 : j === i ? 2 : tokens[i] === tokens[j] ? 4 : -1;
    if (way >= 0) ways[Object.keys(ways)[way]] += weight;
  }
  const [way, share] = Object.entries(ways).sort(([, p], [, q]) => q - p)[0];
  return share >= 0.5 ? `${way}, with ${Math.round(100 * share)} % of its weight` : "spreads its weight";
};
