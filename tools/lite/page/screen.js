// The notebook has the screen, and the address names it.
"use strict";
(() => {
  const drawing = setInterval(() => {
    if (!document.querySelector(".jp-Notebook .jp-Cell")) return;
    clearInterval(drawing);
    const { shell, commands } = window.jupyterapp;
    shell.collapseLeft();
    shell.collapseRight();
    // JupyterLab opens the list of files for the address, in its own time
    const late = (_, { id }) => id === "filebrowser:activate" && shell.collapseLeft();
    commands.commandExecuted.connect(late);
    course.ready.then(() => commands.commandExecuted.disconnect(late));
  }, 50);

  // A link from a page may name an answer, which is seen first.
  let asked = /^#answer=(\w+)$/.exec(location.hash)?.[1];
  course.eachNotebook(({ content, context }) => {
    const named = ({ model }) => model.getMetadata("nbgrader")?.grade_id === asked;
    const place = asked ? content.widgets.findIndex(named) : -1;
    if (place < 0 || context.path !== new URLSearchParams(location.search).get("path")) return;
    asked = null;
    content.activeCellIndex = place;
    content.scrollToItem(place, "center");
  });

  // The way back to the page that one reads.
  const page = document.createElement("a");
  page.textContent = "Page of this unit";
  page.hidden = true;
  course.line.append(page);

  // JupyterLab takes the notebook out of the address once it is open: a bookmark would name none.
  setInterval(() => {
    const path = course.current()?.context?.path;
    const unit = /^(\d\d_\w+)\/\1\.ipynb$/.exec(path)?.[1];
    page.hidden = !unit;
    if (unit) page.href = new URL(`../../notebooks/${unit}/${unit}.html`, document.baseURI).href;
    const address = new URL(location);
    if (!path || address.searchParams.get("path") === path) return;
    address.searchParams.set("path", path);
    history.replaceState(history.state, "", address.href.replaceAll("%2F", "/"));
  }, 300);
})();
