// `hand_in()`: the page that shows the cell saves its notebook and downloads it under the name that is collected.
"use strict";
(() => {
  const channel = new BroadcastChannel("attention-course-notebook");
  const open = new Set();
  const WAIT = 10_000; // ms until the cell's output is here, which comes another way

  course.eachNotebook((panel) => {
    open.add(panel);
    panel.disposed.connect(() => open.delete(panel));
  });

  channel.addEventListener("message", async ({ data }) => {
    const { handIn: unit, mark, ran } = JSON.parse(data);
    const panel = unit && (await withOutput(mark));
    if (!panel) return; // it is open in another tab
    const { context } = panel;
    await context.save().catch(() => {}); // JupyterLab has said why; what is downloaded is whole
    const notebook = context.model.toJSON();
    download(`${unit}.ipynb`, `${JSON.stringify(notebook, null, 1)}\n`);
    const changed = notebook.cells.filter(({ source, metadata }) => {
      const last = ran[metadata.nbgrader?.grade_id];
      return last !== undefined && last.trim() !== [source].flat().join("").trim();
    });
    const names = changed.map(({ metadata }) => metadata.nbgrader.grade_id).join(", ");
    if (names) course.tell(`${unit}.ipynb is downloaded. Changed since it ran last: ${names}. Run it, and its check, to be sure.`);
    else course.tell(`${unit}.ipynb is downloaded: hand in that file.`);
  });

  async function withOutput(mark) {
    for (const begun = Date.now(); Date.now() - begun < WAIT; await new Promise((done) => setTimeout(done, 50))) {
      const has = ({ context }) => JSON.stringify(context.model.toJSON()).includes(mark);
      const found = [...open].find(has);
      if (found) return found;
    }
  }

  function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
})();
