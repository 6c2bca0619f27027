// Starts a real Firefox for a test: `puppeteer` is the folder of puppeteer-core, `profile` Firefox's own.
import { createRequire } from "node:module";

const SECONDS = 300; // as in tools/patience.py

export const started = (puppeteer, executablePath, userDataDir) =>
  createRequire(`${puppeteer}/`)("puppeteer-core").launch({
    browser: "firefox",
    executablePath,
    userDataDir,
    headless: true,
    protocolTimeout: SECONDS * 1000,
    timeout: SECONDS * 1000,
  });

// A page whose errors are noted in `seen.errors`; the tab that Firefox begins with has no focus.
export async function paged(browser, seen) {
  const page = await browser.newPage();
  page.setDefaultTimeout(SECONDS * 1000);
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  await page.setViewport({ width: 1280, height: 800 });
  return page;
}

export const until = (page, holds, ...given) => page.waitForFunction(holds, { polling: 200 }, ...given);
