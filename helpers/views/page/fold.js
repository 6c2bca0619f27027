// A view that is folded away, and made only when it is unfolded: a closed one has no size to be drawn in.
// Where scripts are stripped nothing of it is there, not even what one would press.

const fold = (script, says, data) => {
  const host = make("div", { class: "attention-view" });
  const press = make("summary", { style: "cursor: pointer; padding: 4px 0" }, says);
  const unfold = () => {
    show({ parentElement: host }, data);
    // it has no picture for those without scripts
    host.shadowRoot.querySelector("slot")?.parentElement.remove();
  };
  const folded = make("details", { style: "margin: 4px 0 8px; padding-left: 16px", ontoggle: unfold }, press, host);
  // in JupyterLab Enter would edit the cell
  press.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && !event.shiftKey && event.stopPropagation());
  script.after(folded);
};
