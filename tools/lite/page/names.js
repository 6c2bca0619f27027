// What a screen reader calls the fields and buttons that Jupyter leaves without a name.
"use strict";
(() => {
  function ofEditor(model) {
    const { solution, grade, grade_id: exercise } = model.getMetadata("nbgrader") ?? {};
    if (solution) return `Your answer to ${exercise}`;
    if (grade) return `The check of ${exercise.replace(/-test$/, "")}`;
    return model.type === "code" ? "Code" : "Text of this cell";
  }

  const nameless = (selector) => document.querySelectorAll(`${selector}:not([aria-label])`);

  course.eachNotebook(({ content, disposed }) => {
    function name() {
      for (const { node, model } of content.widgets)
        node.querySelector(".cm-content:not([aria-label])")?.setAttribute("aria-label", ofEditor(model));
      for (const one of nameless(".jp-collapseHeadingButton")) one.setAttribute("aria-label", "Fold this section");
      for (const one of nameless("#jp-NotebookLogo")) one.setAttribute("aria-label", "All notebooks");
    }
    const watching = new MutationObserver(name); // cells are drawn when they come into view
    watching.observe(content.node, { childList: true, subtree: true });
    name();
    disposed.connect(() => watching.disconnect());
  });
})();
