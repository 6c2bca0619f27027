// What a style sheet cannot do: what scrolls can have the focus, a table says that it has more, paper has nothing folded,
// and a link opens the part that it leads into.
const SCROLL = ".drawing, div.math, article pre";
const TABLE = ".pst-scrollable-table-container";
const more = (one) => one.classList.toggle("has-more", one.scrollLeft + one.clientWidth < one.scrollWidth - 1);
const scrollers = () => {
  for (const one of document.querySelectorAll(`${SCROLL}, ${TABLE}`)) {
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
  for (const one of document.images) one.loading = "eager";
});
addEventListener("afterprint", () => {
  for (const one of folded) one.open = false;
});

/** A link into a part that is closed opens it. */
function reach() {
  const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = [];
  for (let one = there?.closest("details:not([open])"); one; one = one.parentElement.closest("details:not([open])")) closed.push(one);
  for (const one of closed) one.open = true;
  if (closed.length) there.scrollIntoView();
}
addEventListener("hashchange", reach);
reach();
