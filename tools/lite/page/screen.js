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

  // JupyterLab takes the notebook out of the address once it is open: a bookmark would name none.
  setInterval(() => {
    const path = course.current()?.context?.path;
    const address = new URL(location);
    if (!path || address.searchParams.get("path") === path) return;
    address.searchParams.set("path", path);
    history.replaceState(history.state, "", address.href.replaceAll("%2F", "/"));
  }, 300);
})();
