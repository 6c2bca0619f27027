// The first screen: what was kept of the model for two sentences answers at once; for any other the model comes.

import { dots, gone, threads, write } from "./picture.js";
import { narrowed, stems } from "./reading.js";
import { figure, told } from "./saying.js";

const $ = (id) => document.getElementById(id);
const plain = (text) => text.trim().replace(/\s+/g, " ").toLowerCase();
const kept = JSON.parse($("first-kept").textContent);
export const state = { text: "", now: null, off: false, live: false, gone: false };

const COMES = "The model is on its way. Your sentence stays in your browser.";
const GONE = "Your words wait here for the model.";
export const NOTHING = Array(7).fill(null);
export const empty = () => say($("first-said"), "Type a sentence, or take the one below.");

// As many columns as their words have room side by side.
const room = ({ words }) => {
  const longest = Math.max(...words.map(({ text }) => text.length));
  const each = Math.max(34, 12 + 9 * Math.min(longest, 7));
  return Math.max(3, Math.floor($("first-hang").clientWidth / each));
};
const say = (place, html) => place.innerHTML !== html && (place.innerHTML = html); // it is read out only when it differs

const button = ({ text, place, gap, alone }, look) => {
  const one = document.createElement("button"), className = `word ${look} ${alone ? "alone" : gap ? "gap" : ""}`;
  Object.assign(one, { type: "button", className, textContent: text, title: text, onclick: () => pick(place) });
  one.setAttribute("aria-pressed", Boolean(look));
  return one;
};

const hang = ({ columns, pair }) => {
  const words = $("first-words"), at = [...words.children].indexOf(document.activeElement);
  words.style.setProperty("--n", columns.length);
  words.replaceChildren(...columns.map((one, k) => button(one, ["one", "two"][pair.indexOf(k)] ?? "")));
  words.children[Math.min(at, columns.length - 1)]?.focus(); // the focus stays where it was
};

const picture = (shown, sims, fresh) => {
  const svg = $("first-cloth"), many = shown.tokens.length, of = `${shown.tokens} ${shown.pair}`;
  svg.classList.toggle("fresh", Boolean(fresh));
  if (fresh || svg.dataset.of !== of) {
    hang(shown);
    svg.querySelector("svg").innerHTML = stems(shown) + threads(shown);
    svg.querySelector("g").innerHTML = dots({ ...shown, sims });
    svg.dataset.of = of;
    return;
  }
  svg.querySelectorAll("circle").forEach((one, at) => {
    if (one.matches(".one, .two")) one.style.setProperty("--gone", `${gone(sims[Math.floor(at / many)])}%`);
  });
};

export const draw = (fresh) => {
  const { now, off } = state, sims = off ? now.off : now.on, known = sims[0] !== null;
  $("first").classList.toggle("off", off);
  picture(narrowed(now, room(now)), sims, fresh);
  say($("first-of"), known ? figure(now) : "");
  $("first-start").textContent = known ? write(sims[0]) : "";
  $("first-number").textContent = $("first-end").textContent = known ? write(sims[6]) : "";
  say($("first-said"), now.waits ? (state.gone ? GONE : COMES) : told(now, off));
  $("first-switch").textContent = `Switch attention ${off ? "on" : "off"}`;
};

let more;
const model = () => (more ??= import("./own.js").catch(() => {
  more = null;
  say($("first-said"), "The rest of this page did not arrive. Try again later.");
}));
const ask = (...given) => model().then((one) => one?.sentence(...given));

const show = (one, fresh = true) => {
  Object.assign(state, { text: one.text, now: one });
  draw(fresh);
};
const pick = (place) => !state.now.waits && ask(state.text, place);

// Until the model has read them, the words hang without threads.
const bare = (text) => {
  const words = text.trim().split(/\s+/).slice(0, 62).map((one) => ({ text: one }));
  return { text, words, pair: [], on: NOTHING, off: NOTHING, weights: new Float32Array(6 * words.length ** 2), waits: true };
};

let typed;
const type = () => {
  const text = $("first-text").value, known = kept.find((one) => plain(one.text) === plain(text));
  clearTimeout(typed);
  if (known) return show(known);
  state.text = text;
  if (!text.trim()) return empty();
  if (!state.live) {
    show(bare(text), false);
    model();
  }
  typed = setTimeout(() => ask(text), 150);
  return undefined;
};

$("first-text").addEventListener("input", type);
$("first").addEventListener("submit", (event) => event.preventDefault());
$("first").addEventListener("click", ({ target }) => {
  if (!target.dataset.try) return;
  $("first-text").value = target.dataset.try;
  type();
});
$("first-switch").addEventListener("click", () => {
  state.off = !state.off;
  draw();
});
new ResizeObserver(() => draw()).observe($("first-hang"));

show(kept[0], false);
if (plain($("first-text").value) !== plain(kept[0].text)) type(); // a browser has brought back what one had typed
$("first").classList.add("ready");
