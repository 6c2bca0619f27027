/** Small parts of a card. */

/** An element with what is inside. */
export function part(name, ...inside) {
  const one = document.createElement(name);
  one.append(...inside);
  return one;
}

export function button(label, f) {
  const one = part("button", label);
  one.type = "button";
  one.addEventListener("click", f);
  return one;
}

const AS_CODE = { spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off" };

/** Lets a field take code as it is typed. */
export function asCode(field) {
  for (const [name, value] of Object.entries(AS_CODE)) field.setAttribute(name, value);
}

/** Names, each a link to its card where that is on this page. */
export function listed(names) {
  return names.flatMap((name, place) => {
    const id = document.querySelector(`form[data-exercise="${CSS.escape(name)}"]`)?.closest("section")?.id;
    const one = part(id ? "a" : "span", part("code", name));
    if (id) one.href = `#${id}`;
    return place ? [place === names.length - 1 ? " and " : ", ", one] : [one];
  });
}

/** A script that runs: one that was put in as text does not. */
export function alive(dead) {
  const one = part("script", dead.textContent);
  for (const { name, value } of dead.attributes) one.setAttribute(name, value);
  return one;
}
