/** What cells show: it takes the place of what is there, part by part, as it comes from Python. */

import { alive, part } from "./parts.js";

const COLOUR = /\x1b\[[\d;]*m/g; // of a terminal
const WRITTEN_OVER = /[^\n]*\r(?=[^\n])/g;

/** Where a cell shows what it gives; `place` makes the element, `given` is what was there. */
export function output(place) {
  let parts = [], fresh = false, given = null;
  const host = () => {
    const one = place();
    given ??= [...one.childNodes];
    if (fresh) one.replaceChildren();
    fresh = false;
    return one;
  };

  function last(words) {
    const one = parts.at(-1);
    return words.kind === "stream" && one?.kind === "stream" && one.name === words.name ? one : undefined;
  }

  return {
    /** A run begins: what is shown stays until something else comes. */
    begin() {
      parts = [];
      fresh = true;
    },
    end() {
      if (fresh) host();
    },
    take({ kind, ...words }) {
      const box = host();
      let one = kind === "update" ? parts.find(({ display }) => display === words.display) : last({ kind, ...words });
      if (one && kind === "stream") one.text += words.text;
      else if (one) one.data = words.data;
      else parts.push((one = { kind, ...words }));
      const shown = drawn(one);
      if (one.shown) one.shown.replaceWith(shown);
      else box.append(shown);
      one.shown = shown;
      for (const script of shown.querySelectorAll("script")) script.replaceWith(alive(script));
    },
    /** Shows again what the course had there. */
    back() {
      if (given) place().replaceChildren(...given);
      fresh = false;
      parts = [];
    },
  };
}

function drawn({ kind, text, data }) {
  const one = part("div");
  if (data?.["text/html"]) {
    one.className = "output text_html";
    one.innerHTML = data["text/html"];
    return one;
  }
  const said = (text ?? data?.["text/plain"] ?? "").replace(COLOUR, "").replace(WRITTEN_OVER, "");
  const inner = part("div", part("pre", said));
  inner.className = "highlight";
  one.className = `output stream highlight-myst-ansi notranslate${kind === "error" ? " is-error" : ""}`;
  one.append(inner);
  return one;
}
