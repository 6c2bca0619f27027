// What a cell asks of the page around it: to hand its notebook in, or to put other text into answer cells; and what is
// done when a page of the site has put answers into the notebook's file.
"use strict";
(() => {
  const WAIT = 10_000; // ms until the cell's output is here, which comes another way than what it asks
  const CHANGED =
    "Answers from the site's page lie in the saved notebook, and this one has changes that are not saved. File, Reload " +
    "Notebook from Disk takes the saved one; File, Save asks which of the two you want.";
  const open = new Set();
  course.eachNotebook((panel) => {
    open.add(panel);
    panel.disposed.connect(() => open.delete(panel));
  });

  new BroadcastChannel("attention-course-notebook").addEventListener("message", async ({ data }) => {
    const asked = JSON.parse(data);
    if (asked.changed) return changed(asked.changed);
    const panel = await withOutput(asked.mark);
    if (!panel) return; // it is open in another tab
    if (asked.handIn) await handIn(panel.context, asked.handIn, asked.ran);
    if (asked.put) await put(panel.context, asked);
  });

  /** A page of the site has put answers into the notebook's file. */
  function changed(path) {
    for (const { context } of open) {
      if (context.path !== path) continue;
      if (context.model.dirty) course.tell(CHANGED);
      else context.revert();
    }
  }

  async function withOutput(mark) {
    for (const begun = Date.now(); Date.now() - begun < WAIT; await new Promise((done) => setTimeout(done, 50))) {
      const found = [...open].find(({ context }) => JSON.stringify(context.model.toJSON()).includes(mark));
      if (found) return found;
    }
  }

  const nameOf = (cell) => cell.getMetadata("nbgrader")?.grade_id;
  const sourceOf = (cell) => cell.sharedModel.getSource();

  /** Save the notebook and download it under the name that is collected; `ran`: what ran last, by answer. */
  async function handIn(context, unit, ran) {
    await course.saveAll(); // two saves at once would make JupyterLab ask; what is downloaded is whole in any case
    download(`${unit}.ipynb`, `${JSON.stringify(context.model.toJSON(), null, 1)}\n`);
    const changed = [...context.model.cells].filter((cell) => {
      const last = ran[nameOf(cell)];
      return last !== undefined && last.trim() !== sourceOf(cell).trim();
    });
    const then = changed.length
      ? `Changed since it ran last: ${changed.map(nameOf).join(", ")}. Run it and its check, to be sure.`
      : "Hand in that file.";
    course.tell(`${unit}.ipynb is downloaded. ${then}`);
  }

  function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ipynb+json" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  /** Change answer cells; `kept`: the texts that are kept elsewhere, any other stays. The cell that asks is done. */
  async function put(context, { put: sources, kept, mark }) {
    const cells = [...context.model.cells];
    const newer = [];
    for (const cell of cells) {
      const name = nameOf(cell);
      if (!Object.hasOwn(sources, name)) continue;
      if (!kept.includes(sourceOf(cell).trim())) newer.push(name);
      else {
        cell.sharedModel.setSource(sources[name]);
        const its = [name, `${name}-few-test`, `${name}-test`];
        for (const one of cells) if (its.includes(nameOf(one))) one.clearExecution();
      }
    }
    const asks = cells.find((cell) => JSON.stringify(cell.toJSON()).includes(mark));
    if (!newer.length) asks?.sharedModel.setSource(sourceOf(asks).replace(/^([ \t]*)((helpers\.)?reset\()/gm, "$1# $2"));
    await course.saveAll();
    if (newer.length) course.tell(`Left as it is: ${newer.join(", ")}. It has changed since it ran: run it, then reset it.`);
  }
})();
