// Opens the first screen of the site in a real Firefox, types, and switches heads off; prints one JSON object.
// node live_in_firefox.mjs PUPPETEER FIREFOX PROFILE ADDRESS: as in in_firefox.mjs.
import { createRequire } from "node:module";

const [home, executablePath, userDataDir, address] = process.argv.slice(2);
const { launch } = createRequire(`${home}/`)("puppeteer-core");
const SECONDS = 300; // as in tools/patience.py
const browser = await launch({
  browser: "firefox",
  executablePath,
  userDataDir,
  headless: true,
  protocolTimeout: SECONDS * 1000,
  timeout: SECONDS * 1000,
});
const seen = { version: await browser.version(), errors: [] };
const verdict = (page) => page.$eval("#live-verdict", (one) => one.textContent);
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(SECONDS * 1000);
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(address);
  await page.waitForSelector("#live.ready");
  seen.kept = await verdict(page);
  const paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
  seen.paint = await page.evaluate(paint);
  const begun = performance.now();
  await page.focus("#live-text");
  await page.keyboard.press("End");
  await page.keyboard.type(" again");
  await page.waitForSelector("html[data-live]");
  await until(page, () => document.querySelector("#live-verdict").textContent.startsWith("saw and saw enter"));
  seen.live = performance.now() - begun;
  seen.kind = await page.$eval("html", (one) => one.dataset.live);
  await page.click(".head:nth-of-type(3)");
  await until(page, () => document.querySelector("#live-verdict").textContent.includes("off it is"));
  seen.off = await verdict(page);
  seen.pass = Number(await page.$eval("#live", (one) => one.dataset.took));
  await page.click("#live-each");
  await until(page, () => document.querySelector("#live").dataset.each);
  seen.each = Number(await page.$eval("#live", (one) => one.dataset.each));
  seen.all = await verdict(page);
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth);
  await page.screenshot({ path: `${userDataDir}/live.png` });
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));

function until(page, holds) {
  return page.waitForFunction(holds, { polling: 200 });
}
