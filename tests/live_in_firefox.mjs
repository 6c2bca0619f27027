// Opens the page "Look inside" in a real Firefox, types, and switches heads off; prints one JSON object.
// node live_in_firefox.mjs PUPPETEER FIREFOX PROFILE ADDRESS: as in in_firefox.mjs.
import { paged, started, until } from "./firefox.mjs";

const [puppeteer, firefox, profile, address] = process.argv.slice(2);
const browser = await started(puppeteer, firefox, profile);
const seen = { version: await browser.version(), errors: [] };
const verdict = (page) => page.$eval("#live-verdict", (one) => one.textContent);
try {
  const page = await paged(browser, seen);
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
  await page.screenshot({ path: `${profile}/live.png` });
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
