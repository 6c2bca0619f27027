// What a style sheet cannot do: what scrolls can have the focus, a table says that it has more, paper has nothing folded,
// and a phone hands the address of a page on to a machine where one can write.
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

const shares = navigator.share?.bind(navigator);
for (const one of document.querySelectorAll(".share")) {
  one.hidden = !(shares || navigator.clipboard);
  one.textContent = shares ? "Send the link to yourself" : "Copy the link";
  one.addEventListener("click", async () => {
    const url = location.href.split("#")[0];
    try {
      if (shares) await shares({ title: document.title, url });
      else await navigator.clipboard.writeText(url);
      if (!shares) one.textContent = "The link is copied";
    } catch (error) {
      if (error.name !== "AbortError") one.textContent = url; // to be copied by hand
    }
  });
}
