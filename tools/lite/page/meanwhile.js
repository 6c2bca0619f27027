// While JupyterLab loads: how far it is, and the unit's own page of the site to read.
"use strict";
(() => {
  const WHOLE = {whole}; // bytes, unpacked, that a visit has loaded when its first cell is there
  const PARTS = ["{app} is loading", "Your notebook is opening"];
  const unit = new URLSearchParams(location.search).get("path")?.match(/^(\d\d_\w+)\/\1\.ipynb$/)?.[1];

  const place = document.createElement("section");
  place.id = "course-meanwhile";
  place.setAttribute("aria-label", "While the notebook loads");
  place.innerHTML = `<div class="how-far"><p></p><progress max="100" aria-label="Loading"></progress></div>`;
  const [words, bar] = [place.querySelector("p"), place.querySelector("progress")];
  const show = () => document.body.append(place);
  if (document.body) show();
  else document.addEventListener("DOMContentLoaded", show);

  // Python, which loads beside it in a worker, is not counted: no cell waits for it to be seen.
  performance.setResourceTimingBufferSize(2000);
  const entries = (from) => from.performance.getEntriesByType("resource");
  const bytes = () => entries(window).reduce((sum, one) => sum + one.decodedBodySize, 0);

  function howFar() {
    const loaded = bytes();
    bar.value = Math.min(98, Math.round((100 * loaded) / WHOLE));
    const part = window.jupyterapp ? 1 : 0;
    const mega = (count) => (count / 1e6).toFixed(1);
    const of = loaded < WHOLE ? ` of about ${mega(WHOLE)}` : "";
    const said = `Step ${part + 1} of ${PARTS.length}: ${PARTS[part]} (${mega(loaded)}${of} MB, unpacked).`;
    words.textContent = said + (frame.isConnected ? " Read on meanwhile:" : "");
  }

  // The page of the site, without what surrounds it there and without scripts.
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin allow-popups");
  let touched = false;
  let styles = []; // addresses, known before the frame has them

  async function read() {
    const address = new URL(`../../notebooks/${unit}/${unit}.html`, document.baseURI).href;
    const answer = await fetch(address);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const article = page.querySelector("article");
    if (!article) return;
    for (const one of article.querySelectorAll("script, .workplaces, .headerlink")) one.remove();
    const base = document.createElement("base");
    [base.href, base.target] = [address, "_blank"];
    const links = [...page.querySelectorAll("link[rel=stylesheet]")];
    styles = links.map((one) => new URL(one.getAttribute("href"), address).href);
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const room = "body { display: block; padding: 0 1rem 4rem } article { max-width: 46rem; margin: 0 auto }";
    frame.title = page.title;
    frame.srcdoc =
      `<!doctype html><html lang="en" data-theme="${theme}" data-mode="${theme}"><head>${base.outerHTML}` +
      `${links.map((one) => one.outerHTML).join("")}` +
      `<style>${room}</style></head><body>${article.outerHTML}</body></html>`;
    frame.addEventListener("load", () => {
      for (const what of ["scroll", "pointerdown", "keydown"])
        frame.contentWindow.addEventListener(what, () => (touched = true), { once: true });
    });
    if (place.isConnected) place.append(frame);
  }
  if (unit) read().catch(() => {}); // without a connection the notebook is here sooner than anything to read

  // Who has begun to read is not interrupted.
  const ticking = setInterval(() => {
    if (!document.querySelector(".jp-Notebook .jp-Cell")) return howFar();
    clearInterval(ticking);
    document.getElementById("course-line").dataset.loaded = bytes();
    if (!touched) return away();
    bar.remove();
    words.textContent = "Your notebook is there. ";
    const open = document.createElement("button");
    open.textContent = "Open it";
    open.addEventListener("click", away);
    words.append(open);
  }, 150);

  function away() {
    window.courseAlsoSeen = [...styles, ...(frame.contentDocument ? madeOf(frame.contentDocument) : [])];
    place.remove();
  }

  // All that the page can show, seen or not: kept with the rest, it is here without a connection.
  function madeOf(page) {
    const sheets = [...page.styleSheets].filter((one) => one.href);
    const fonts = sheets.flatMap(({ href, cssRules }) =>
      [...cssRules]
        .map((rule) => /^@font-face/.test(rule.cssText) && rule.cssText.match(/url\("?(?!data:)([^")]+)/)?.[1])
        .filter(Boolean)
        .map((url) => new URL(url, href).href),
    );
    const imported = sheets.flatMap(({ cssRules }) => [...cssRules].map((rule) => rule.styleSheet?.href).filter(Boolean));
    return [...sheets.map((one) => one.href), ...imported, ...fonts, ...[...page.images].map((one) => one.src)];
  }
})();
