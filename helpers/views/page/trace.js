// A learner's own lines, each with what it made: one step is chosen, and its panel shows numbers.

const ODD = { nan: "nan", inf: "∞", "-inf": "−∞" };
// of code, before it goes on in the next line
const LETTERS = 44;

const build = (view, data) => {
  const { functions, what, steps } = data;
  let now = data.start;
  const names = (list) => list.map(([name, at]) => chip(name, what[at].short));
  const chip = (name, says) => make("span", { class: "chip" }, make("b", {}, name), ` ${name === "returned" ? says.replace(/^= /, "") : says}`);
  const call = (step) => step.call || 1;
  const when = (step) => [functions[step.of].calls > 1 && `call ${call(step)} of ${functions[step.of].calls}`, step.turns && `run ${step.turn || 1} of ${step.turns}`].filter(Boolean).join(", ");

  // A map of numbers: the first matrix of an array, with sums where they were kept.
  const cell = (x, most, gold) => {
    const odd = typeof x === "string", size = odd || !most ? 0 : Math.round(100 * Math.min(1, Math.abs(x) / most));
    return make("td", { class: odd ? "off" : gold ? "gold" : x < 0 ? "minus" : "", style: `--a:${size}` }, odd ? ODD[x] || x : x === true ? "True" : x === false ? "False" : write(x));
  };
  const map = (name, at) => {
    const { items, shape, numbers, rows: sums, columns, gold, short } = what[at];
    if (items) return items.flatMap((one, k) => map(`${name}[${k}]`, one));
    const rows = Array.isArray(numbers?.[0]) ? numbers : [numbers || []], wide = rows[0].length;
    if (!wide) return [];
    const more = shape.at(-1) > wide, high = shape.length > 1 && shape.at(-2) > rows.length, most = gold ? 1 : Math.max(...rows.flat().filter((x) => typeof x === "number").map(Math.abs), 0);
    const sum = (x) => make("td", { class: "sum" }, x === undefined ? "" : write(x)), dots = () => make("td", { class: "sum" }, "…");
    const head = (scope, text) => make("th", { scope }, text), place = shape.length > 2 ? `[${shape.slice(2).fill(0).join(", ")}]` : "";
    const line = (lead, cells, last) => make("tr", {}, lead, ...cells, more && cells[0] ? dots() : null, last);
    const table = make("table", { "aria-label": name + place },
      make("thead", {}, line(make("td"), rows[0].map((_, j) => head("col", String(j))), sums && head("col", "Σ"))),
      make("tbody", {}, ...rows.map((row, i) => line(head("row", shape.length > 1 ? String(i) : ""), row.map((x) => cell(x, most, gold)), sums && sum(sums[i]))),
        high ? make("tr", {}, head("row", "…")) : null,
        columns ? line(head("row", "Σ"), columns.map(sum), sums && sum()) : null));
    const label = make("div", {}, make("b", {}, name + place), ` ${place ? "of " : ""}${short}`);
    return [make("div", {}, label, make("div", { class: "map", role: "group", "aria-label": name }, table))];
  };

  // Her lines: a button where a step is, which has what it made for beside it.
  const lines = functions.flatMap((one, of) => one.lines.map((text, k) => {
    const line = one.first + k, first = steps.findIndex((step) => step.of === of && step.line === line), runs = first >= 0;
    const sign = make("span", { class: "sign" }), chips = make("span", { class: "chips" });
    const row = make(runs ? "button" : "div", { class: "line", ...(runs && { type: "button", tabindex: -1, onclick: () => go(first, true) }) },
      sign, make("span", { class: "no" }, String(line)), make("code", {}, text || " "), chips);
    return { of, line, runs, row, sign, chips };
  }));
  const blocks = functions.map((one, of) => {
    const { depth = 0 } = steps.find((step) => step.of === of) || {};
    return make("div", { style: `margin-left:${16 * Math.min(depth, 4)}px` }, of ? make("h4", {}, one.title) : null,
      make("ol", { "aria-label": one.title }, ...lines.filter((line) => line.of === of).map((line) => make("li", {}, line.row))));
  });
  const longest = Math.max(0, ...functions.flatMap((one) => one.lines.map((text) => text.length)));
  const press = (text, act) => make("button", { type: "button", onclick: act }, text);
  const back = press("◀ back", () => go(now - 1)), on = press("on ▶", () => go(now + 1)), count = make("span", {}), turns = make("div", { class: "row", role: "group", "aria-label": "runs of this line" });
  const said = make("p", { role: "status" }), maps = make("div", { class: "maps" }), reads = make("p", {}), inputs = make("div", { class: "maps small" });
  const box = make("div", { class: "code", style: `--w:${Math.min(longest, LETTERS) + 1}ch` }, ...blocks), bar = make("div", { class: "row" }, back, on, count);

  const MOVES = { ArrowRight: () => now + 1, ArrowDown: () => now + 1, ArrowLeft: () => now - 1, ArrowUp: () => now - 1, Home: () => 0, End: () => steps.length - 1 };
  const listen = (event) => {
    const move = MOVES[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    go(move(), event.currentTarget === box);
  };
  box.addEventListener("keydown", listen);
  bar.addEventListener("keydown", listen);

  // Which step a line shows: of the call that is chosen, the last so far; else the first.
  const shown = ({ of, line }) => {
    const here = steps[now], all = steps.map((_, k) => k).filter((k) => steps[k].of === of && steps[k].line === line);
    const same = all.filter((k) => of === here?.of && call(steps[k]) === call(here)), some = same[0] >= 0 ? same : all;
    return steps[some.filter((k) => k <= now).pop() ?? some[0]];
  };
  const go = (to, focus) => {
    now = Math.max(0, Math.min(steps.length - 1, to));
    const here = steps[now], sources = here?.from.map(([, , line]) => line) || [];
    for (const { of, line, runs, row, sign, chips } of lines) {
      const chosen = here?.of === of && here.line === line, source = !chosen && here?.of === of && sources.includes(line), step = runs && shown({ of, line });
      row.classList.toggle("at", chosen);
      row.classList.toggle("source", source);
      sign.textContent = chosen ? "▶" : source ? "◆" : "";
      if (runs) {
        row.tabIndex = chosen ? 0 : -1;
        row.ariaCurrent = chosen ? "step" : null;
      }
      const { def, given, calls, idle } = functions[of], told = line === def && given[0] ? [calls > 1 ? "given in call 1:" : "given", ...names(given)] : [];
      if (idle.includes(line)) told.push(make("span", { class: "idle" }, "did not run"));
      if (step) told.push(when(step) || null, ...names(step.makes), step.raises ? chip("stopped here:", step.raises) : null);
      chips.replaceChildren(...told.filter(Boolean));
      if (chosen) {
        if (focus) row.focus({ preventScroll: true });
        // the page stays where it is
        const top = row.offsetTop - box.offsetTop;
        if (top < box.scrollTop || top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - 40;
      }
    }
    if (!here) return;
    const kept = steps.map((step, k) => ({ ...step, k })).filter((step) => here.turns && step.of === here.of && step.line === here.line && call(step) === call(here));
    turns.replaceChildren(...(kept[0] ? ["run", ...kept.map(({ turn = 1, k }) => {
      const one = press(String(turn), () => { go(k); turns.querySelector("[aria-pressed=true]").focus(); });
      one.ariaPressed = k === now;
      one.ariaLabel = `run ${turn}${turn === here.turns ? ", the last" : ""}`;
      return one;
    }), `of ${here.turns}`] : []));
    turns.hidden = !kept[0];
    back.ariaDisabled = now === 0;
    on.ariaDisabled = now === steps.length - 1;
    count.textContent = `step ${now + 1} of ${steps.length}`;
    const home = here.depth ? ` of ${functions[here.of].name}${here.by ? `, called in ${here.by}` : ""}` : "", at = when(here);
    const made = here.makes.map(([name, k]) => `${name}: ${what[k].long}`);
    if (here.raises) made.push(`stopped here: ${here.raises}`);
    said.textContent = `Line ${here.line}${home}${at ? `, ${at}` : ""}${made[0] ? `, ${made.join(" ")}` : ": it makes nothing new."}`;
    // one map for two names of one object
    const shows = here.makes.map(([name, k]) => [name.split(" ")[0], k]), twice = (name, at) => shows.slice(0, at).some(([one]) => one === name);
    maps.replaceChildren(...shows.flatMap(([name, k], at) => (twice(what[k].same, at) ? [] : map(name, k))));
    const told = here.from.map(([name, k, line]) => (k < 0 ? `${name}, which may be from a run that is left out` : `${name} ${what[k].short.split(" ✓")[0]} from line ${line}`));
    reads.textContent = told[0] ? `It reads ${told.join("; ")}.` : "";
    inputs.replaceChildren(...here.from.flatMap(([name, k]) => (k < 0 ? [] : map(name, k))));
    // what is too wide is scrolled in its own place, by keys too
    for (const one of view.querySelectorAll(".map")) if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  };

  const list = (tag, title, texts) => (texts[0] ? make("div", {}, make("h4", {}, title), make(tag, {}, ...texts.map((one) => make("li", {}, ...[one].flat())))) : null);
  const course = data.stages.map(([name, line]) => [name, line ? make("b", {}, ` ${line}`) : ""]);
  view.append(make("p", { class: "note" }, "▶ the chosen line, ◆ a line that made what it reads, ✓ a stage of the course. Arrow keys step."),
    make("div", { class: "trace" }, box, make("div", { class: "panel" }, bar, turns, said, maps, reads, inputs),
      make("div", { class: "rest" }, list("ol", "The course's stages", course), list("ul", "What can be said", data.facts), list("ul", "Left out", data.left))));
  go(now);
};

// Below a failing check it is folded, and made when it is unfolded.
const unfold = (script, data) => {
  const host = script.parentElement, press = host.previousElementSibling;
  host.parentElement.addEventListener("toggle", () => show({ parentElement: host }, data));
  // in JupyterLab Enter would edit the cell
  press.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && !event.shiftKey && event.stopPropagation());
};
