// The theme loads all of Bootstrap's scripts, 80 kB, for menus that open. This is what it needs of them.
window.bootstrap = {
  Tooltip: class {
    show() {} // what has a title has the browser's own
    hide() {}
    dispose() {}
  },
};

{
  const MENU = '[data-bs-toggle="dropdown"]';
  const HOME = `:has(> ${MENU})`;
  const set = (button, open) => {
    button.setAttribute("aria-expanded", String(open));
    button.parentElement.querySelector(".dropdown-menu").classList.toggle("show", open);
  };
  const close = (besides) => {
    for (const one of document.querySelectorAll(MENU)) if (one !== besides) set(one, false);
  };
  addEventListener("click", ({ target }) => {
    const button = target.closest?.(MENU);
    close(button);
    if (button) set(button, button.getAttribute("aria-expanded") !== "true");
  });
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const home = target.closest?.(HOME);
    const button = home?.querySelector(MENU);
    if (key === "Escape" && button?.getAttribute("aria-expanded") === "true") {
      set(button, false);
      button.focus();
    } else if (button && ["ArrowDown", "ArrowUp"].includes(key)) {
      const places = [...home.querySelectorAll(".dropdown-menu :is(a, button)")];
      const next = places.indexOf(document.activeElement) + (key === "ArrowDown" ? 1 : -1);
      set(button, true);
      places.at(next % places.length)?.focus();
      event.preventDefault();
    }
  });
  addEventListener("focusout", ({ target, relatedTarget }) => {
    const home = target.closest?.(HOME);
    if (home && relatedTarget && !home.contains(relatedTarget)) close();
  });
}
