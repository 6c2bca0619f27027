// Lines to be put in order: one is chosen, by keys or pointer, and moved; what stands below "Left out" is no part of the answer.

const build = (view, data) => {
  const said = make("p", { role: "status" }), answer = make("ol", { role: "list", "aria-label": "Your answer" }), out = make("ol", { role: "list", "aria-label": "Left out" });
  const indent = (text) => text.length - text.trimStart().length;
  const code = (text) => make("code", { style: `--in:${indent(text)}ch` }, indent(text) ? make("span", { class: "hid" }, `indented by ${indent(text)}: `) : null, text.trimStart());
  const number = () => make("span", { class: "no" });
  let chosen, picked = false;

  const rows = data.rows.map((row) => {
    if (row.fixed) {
      const lines = row.fixed.map(([k, text]) => ({ k, text, no: number() }));
      return { lines, item: make("li", { class: "given" }, ...lines.map((one) => make("div", { class: "line" }, one.no, code(one.text)))) };
    }
    const no = number(), one = { ...row, lines: [{ text: row.text, no }] };
    one.press = make("button", { type: "button", class: "line", onclick: (event) => (event.detail ? choose(one) : pick(one)), onfocus: () => choose(one) }, no, code(row.text));
    const tool = (text, act) => make("button", { type: "button", onclick: () => act(one) }, text);
    one.leave = tool("leave out", (it) => leave(it));
    one.tools = make("div", { class: "row" }, tool("▲ up", (it) => move(it, -1)), tool("▼ down", (it) => move(it, 1)), one.leave);
    one.item = make("li", {}, one.press, one.tools);
    return one;
  });
  const END = { lines: [], end: true };
  let order = [...rows, END];
  const isOut = (one) => order.indexOf(one) > order.indexOf(END);
  const moving = () => order.filter((one) => one.press);

  const draw = () => {
    const held = view.getRootNode().activeElement;
    let count = 0;
    for (const one of order) {
      if (one.end) continue;
      (isOut(one) ? out : answer).append(one.item);
      for (const { no } of one.lines) no.textContent = isOut(one) ? "–" : String(++count);
      if (!one.press) continue;
      one.press.tabIndex = one === chosen ? 0 : -1;
      one.press.ariaPressed = one === chosen && picked;
      one.item.classList.toggle("at", one === chosen);
      one.item.classList.toggle("picked", one === chosen && picked);
      one.tools.hidden = one !== chosen;
      one.leave.textContent = isOut(one) ? "take in" : "leave out";
    }
    // an element that is put elsewhere loses the focus
    if (held && held !== view.getRootNode().activeElement) held.focus({ preventScroll: true });
  };
  const choose = (one) => {
    if (one === chosen) return;
    [chosen, picked] = [one, false];
    draw();
  };
  const pick = (one) => {
    choose(one);
    picked = !picked;
    draw();
    said.textContent = picked ? "Picked up: arrow keys move it, Delete leaves it out, space puts it down." : `Put down. ${where(one)}`;
  };
  const above = (one) => order.slice(0, order.indexOf(one)).flatMap((other) => other.lines).pop();
  const where = (one) => (isOut(one) ? "Left out." : `Line ${one.lines[0].no.textContent}, below ${above(one).text.trim()}`);
  const put = (one, to) => {
    order = order.filter((other) => other !== one);
    order.splice(to, 0, one);
    draw();
    said.textContent = where(one);
    one.item.scrollIntoView({ block: "nearest" });
  };
  // the lines at the top stay at the top
  const move = (one, by) => put(one, Math.max(1, Math.min(order.length - 1, order.indexOf(one) + by)));
  const leave = (one) => put(one, isOut(one) ? order.indexOf(END) : order.length - 1);

  const KEYS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  view.addEventListener("keydown", (event) => {
    const by = KEYS[event.key], one = rows.find((row) => row.press === view.getRootNode().activeElement);
    if (!one || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const away = ["Delete", "Backspace"].includes(event.key);
    if (away || (event.key === "Escape" && picked)) {
      event.preventDefault();
      return away ? leave(one) : pick(one);
    }
    if (!by) return;
    event.preventDefault();
    const all = moving();
    if (picked) move(one, by);
    else all[Math.max(0, Math.min(all.length - 1, all.indexOf(one) + by))].press.focus();
  });

  // Where a line may stand: in its block, below all that it needs.  `standing` in line_order.py counts the same.
  const look = () => {
    const inside = order.filter((one) => !one.end && !isOut(one)), wrong = inside.find((one) => one.wrong), all = rows.filter((one) => one.k !== undefined);
    if (wrong) return `Line ${wrong.lines[0].no.textContent} holds a real mistake: ${wrong.wrong}`;
    // lines that read the same stand for each other
    const free = [...all].sort((a, b) => a.k - b.k), seen = [];
    let fine = 0;
    for (const one of inside) for (const { k, text } of one.lines) {
      const row = one.press ? free.splice(free.findIndex((other) => other.text === text), 1)[0] : { k };
      const block = seen.findLast((other) => indent(other.text) < indent(text))?.k ?? -1;
      if (one.press && block === row.parent && row.after.every((it) => seen.some((other) => other.k === it))) fine++;
      seen.push({ k: row.k, text });
    }
    if (fine === all.length) return "All lines stand where they may: this is a right answer.";
    const missing = all.filter(isOut).length;
    return `${fine} of ${all.length} lines stand where they may${missing ? `; ${missing} that ${missing > 1 ? "belong" : "belongs"} in ${missing > 1 ? "are" : "is"} left out` : ""}.`;
  };

  const tell = () => {
    picked = false;
    draw();
    said.textContent = look();
  };

  chosen = moving()[0];
  view.append(make("p", { class: "note" }, "Arrow keys choose a line, space picks it up and puts it down, Delete leaves it out; or press a line and its buttons."),
    answer, make("h4", {}, "Left out"), out, make("div", { class: "row" }, make("button", { type: "button", onclick: () => tell() }, "Look")), said);
  draw();
};
