// What is seen of a state: words, threads, dots, cosines, the sentence that says it all. It computes nothing of its own.

import { habit, maps, stop, switches } from "./heads.js";
import { LAYERS, dots, gone, isApart, largest, named, resting, special, threads, verdict, write } from "./picture.js";

const $ = (id) => document.getElementById(id);
const live = () => $("live");
// What is read out is set only when it differs.
const say = (place, html) => place.innerHTML !== html && (place.innerHTML = html);

export const words = ({ tokens, pair }, pick) => {
  const [over, under] = [$("live-words"), $("live-under")], at = [...over.children].indexOf(document.activeElement);
  const look = (token, i) => `word${special(token) ? " special" : ""}${pair?.includes(i) ? [" one", " two"][pair.indexOf(i)] : ""}`;
  over.replaceChildren(...tokens.map((token, i) => {
    const one = document.createElement("button");
    Object.assign(one, { type: "button", className: look(token, i), textContent: token, onclick: () => pick(i) });
    one.setAttribute("aria-pressed", Boolean(pair?.includes(i)));
    stop(one, i === (pair?.[0] ?? 0));
    return one;
  }));
  under.replaceChildren(...tokens.map((token, i) => Object.assign(document.createElement("span"), { className: look(token, i), textContent: token })));
  if (at >= 0) over.children[Math.min(at, tokens.length - 1)].focus();
  const { style } = $("live-cloth").closest(".cloth"), length = Math.max(...tokens.map((token) => (special(token) ? 4 : token.length)));
  style.setProperty("--n", tokens.length);
  style.setProperty("--long", Math.max(3, length));
  fit();
};
// Words stand upright where they would be too small side by side; on a phone many of them have the whole width.
export const fit = () => {
  const hang = $("live-hang"), { style } = hang.parentElement, [n, long] = ["--n", "--long"].map((name) => Number(style.getPropertyValue(name)));
  live().classList.toggle("many", n > 7);
  live().classList.toggle("steep", hang.clientWidth / n / long < 6.2);
};

// `fresh` lets threads come in one layer after the other.
export const cloth = (state, fresh) => {
  const { now, off, seen, code } = state, svg = $("live-cloth"), many = now.tokens.length;
  svg.querySelector("svg").innerHTML = state.waits ? "" : threads(now, off, seen, code.merged === 2);
  const old = svg.querySelectorAll("circle"), place = svg.querySelector("g");
  if (old.length !== many * (LAYERS + 1) || `${state.drawn}` !== `${now.pair}`) place.innerHTML = dots(now);
  else old.forEach((one, at) => one.style.getPropertyValue("--gone") && one.style.setProperty("--gone", `${gone(now.sims[Math.floor(at / many)])}%`));
  state.drawn = now.pair;
  svg.classList.toggle("fresh", Boolean(fresh));
  svg.classList.toggle("partly", !state.waits && now.sims.includes(null));
  const known = now.sims.map((sim) => (sim == null ? "…" : write(sim)));
  svg.setAttribute("aria-label", now.pair ? `Cosine of ${now.pair.map((i) => now.tokens[i]).join(" and ")} as they come in and after each of six layers: ${known.join(", ")}.` : "No two words are chosen.");
  document.querySelectorAll("#live-cosines li").forEach((one, row) => { one.textContent = now.pair ? known[row] : ""; });
};

const listed = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join("; ")} and ${parts.at(-1)}` : parts.join(""));
export const changed = ({ off, silence, code }) => {
  const lines = [...document.querySelectorAll("#live-lines select")].filter((one) => code[one.name]).map((one) => one.selectedOptions[0].dataset.says);
  const gives = silence === "zero" ? "off" : off.size > 1 ? "at their means" : "at its mean";
  const heads = off.size > 2 ? [`${off.size} heads ${gives}`] : off.size ? [`${[...off].map(named).join(" and ")} ${gives}`] : [];
  return listed([...lines, ...heads]);
};

const capital = (text) => text[0].toUpperCase() + text.slice(1);
// What came of silencing each head: a name where the two are told apart, else how little any head moves them.
const outcome = (right, best, effect) => (isApart(right)
  ? `<b>${capital(named(best))}</b> does most of it: without it the cosine is ${write(right.sims[LAYERS] + effect[best])}.`
  : `No head alone moves it by more than ${Math.max(...[...effect].map(Math.abs)).toFixed(3)}.`);

export const says = (state) => {
  const { now, right, cut, effect } = state, told = [];
  if (state.trouble) told.push(state.trouble);
  else if (state.waits) told.push(state.gone ? "Your words hang here without threads: those need the model." : "Your words hang here at once; their threads come with the model.");
  else if (!now.pair) told.push("One word alone: type another, to compare it with.");
  else {
    const best = effect ? largest(effect) : 0;
    const most = effect ? outcome(right, best, effect) : "";
    told.push(verdict(now, right, changed(state), most));
  }
  if (cut) told.push(`Only the first ${now.tokens.length - 2} pieces are read; ${cut} more are left out.`);
  say($("live-verdict"), told.join(" "));
  const rests = state.waits || Object.values(state.code).some(Boolean) ? "" : resting(now);
  say($("live-rest"), rests);
};

export const heads = (state, tiles, drawMaps) => {
  const { now, off, effect, seen, chosen } = state;
  if (drawMaps) maps(tiles, now);
  switches(tiles, off, effect, effect ? largest(effect) : -1);
  $("live-heads").classList.toggle("blank", Boolean(state.waits));
  $("live-legend").hidden = !effect;
  if (effect) say($("live-longest"), Math.max(...[...effect].map(Math.abs)).toFixed(3));
  const at = seen ?? chosen;
  $("live-open").hidden = at === null;
  if (at === null) return;
  say($("live-head"), `<b>${capital(named(at))}</b>${state.waits ? "" : ` ${habit(now, at)}`}${effect ? `; without it the cosine changes by ${effect[at] < 0 ? "−" : "+"}${Math.abs(effect[at]).toFixed(3)}` : ""}.`);
  $("live-loom").textContent = `Open ${named(at)} as a loom`;
};

export const nearest = (found) => {
  const place = $("live-near");
  place.replaceChildren(...found.map(([text, cosine]) => {
    const row = document.createElement("li"), number = document.createElement("b"), bar = document.createElement("i");
    number.textContent = write(cosine);
    bar.style.width = `${Math.max(0, 60 * cosine)}%`;
    row.append(number, text, bar);
    return row;
  }));
};

export const lines = (code) => document.querySelectorAll("#live-lines select").forEach((one) => {
  one.value = code[one.name];
  one.classList.toggle("broken", Boolean(code[one.name]));
});
export { $, say };
