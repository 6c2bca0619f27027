// What a style sheet cannot do: what scrolls can have the focus, a table says that it has more, and paper has nothing folded.
const TABLE = ".pst-scrollable-table-container";
const more = (one) => one.classList.toggle("has-more", one.scrollLeft + one.clientWidth < one.scrollWidth - 1);
const scrollers = () => {
  for (const one of document.querySelectorAll(`.drawing, div.math, ${TABLE}`)) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
    if (one.matches(TABLE)) more(one);
  }
};
addEventListener("scroll", ({ target }) => target.matches?.(TABLE) && more(target), true);
addEventListener("load", scrollers);
addEventListener("resize", scrollers);
document.addEventListener("toggle", scrollers, true);

let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of folded) one.open = false;
});
