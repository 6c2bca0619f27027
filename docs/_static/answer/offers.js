/** A second text to choose, shown below something. */

import { button, part } from "./parts.js";

/** Gives a function that shows `{says, source, take, keep}` below an element, or takes it away where there is none. */
export function offers(place) {
  let line;
  return (one) => {
    line?.remove();
    if (!one) return;
    const other = part("details", part("summary", "See the other one"), part("pre", one.source));
    line = part("div", one.says, " ", button("Take the other one", one.take), " ", button("Keep this one", one.keep), other);
    line.className = "answer-offer";
    line.setAttribute("role", "status");
    place.after(line);
  };
}
