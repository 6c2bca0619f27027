// Opens a notebook in a real Firefox and works in it; prints one JSON object with what was seen.
// node in_firefox.mjs PUPPETEER FIREFOX PROFILE ADDRESS STEPS: PUPPETEER is the folder of puppeteer-core, PROFILE
// Firefox's own, STEPS a JSON list of [cell, text]: the text replaces the cell's, unless it is null, and the cell
// is run.
import { paged, started, until } from "./firefox.mjs";

const [puppeteer, firefox, profile, address, steps] = process.argv.slice(2);
const browser = await started(puppeteer, firefox, profile);
const seen = { version: await browser.version(), asked: [], errors: [], gave: [] };
try {
  const page = await paged(browser, seen);
  page.on("request", (one) => seen.asked.push(one.url()));
  const begun = performance.now();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  seen.first = await page.$eval("#course-line", (one) => one.textContent);
  await until(page, () => !document.querySelector("#course-line").textContent.includes("Python starts"));
  seen.ready = (performance.now() - begun) / 1000;
  for (const [cell, text] of JSON.parse(steps)) seen.gave.push(await run(page, cell, text));
  await page.evaluate(() => window.jupyterapp.commands.execute("docmanager:save"));
  await until(page, () => document.querySelector("#course-line[data-kept]"));
  seen.last = await page.$eval("#course-line", (one) => one.textContent);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));

// Put a text into a cell and run it; gives what the cell puts out. Keys are pressed in the tests in Chromium.
async function run(page, cell, text) {
  return page.evaluate(
    async (id, text) => {
      const { commands, shell } = window.jupyterapp;
      const notebook = shell.currentWidget.content;
      notebook.activeCellIndex = notebook.widgets.findIndex((one) => one.model.id === id);
      notebook.deselectAll();
      await notebook.scrollToItem(notebook.activeCellIndex, "center");
      const { model, outputArea } = notebook.activeCell;
      if (text !== null) model.sharedModel.setSource(text);
      await commands.execute("notebook:run-cell");
      return outputArea.node.innerText;
    },
    cell,
    text,
  );
}
