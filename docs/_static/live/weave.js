// One head as a loom: the loom of the course, which begins with the head's own queries, keys and values.

import { named } from "./picture.js";

let ready;
const fetched = async () => {
  const script = document.createElement("script");
  script.src = new URL("loom_view.js", import.meta.url);
  const came = new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
  document.head.append(script);
  const [start] = await Promise.all([fetch(new URL("loom_start.json", import.meta.url)).then((one) => one.json()), came]);
  return start;
};

const rows = (numbers, n) => {
  const wide = numbers.length / n;
  return [Array.from({ length: n }, (_, i) => Array.from(numbers.subarray(i * wide, (i + 1) * wide), (x) => Math.round(1e4 * x) / 1e4))];
};

export async function weave(place, head, { text, tokens }, { Q, K, V }) {
  const start = await (ready ??= fetched().catch((error) => { ready = null; throw error; }));
  const n = tokens.length, data = structuredClone(start), name = named(head);
  data.title = `${name[0].toUpperCase()}${name.slice(1)} of all-MiniLM-L6-v2`;
  data.note = `In “${text}”. ${start.note}`;
  data.given = { Q: rows(Q, n), K: rows(K, n), V: rows(V, n) };
  Object.assign(data.start, { queries: tokens, keys: tokens, text: tokens.join(" "), at: ["weights", Math.min(2, n - 1), Math.min(1, n - 1)] });
  data.allowed = [Array(n).fill((2n ** BigInt(n) - 1n).toString(16))];
  const host = document.createElement("div");
  host.className = "attention-view";
  place.replaceChildren(host);
  window.liveLoom(host, data);
  host.shadowRoot.getElementById("loom").scrollLeft = 0; // it begins with what the head gets
  place.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
}
