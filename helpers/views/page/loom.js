// The loom on the page: all stages side by side, the code, and the arithmetic of one entry.

const build = (view, data) => {
  const { columns, lines, stages, language, yours } = data, names = columns.flat(), made = lines.flatMap((line) => line.makes), plays = made[0] && !yours;
  const first = { values: {}, heads: data.heads, temperature: 1 }, sheets = {};
  for (const name in data.given) first.values[name] = pack(unpack(data.given[name]));
  if (data.allowed) first.values.allowed = pack(bits(data.allowed, data.start.keys.length).map((rows) => rows.map((row) => [...row])));
  // "Infinity" becomes a number
  for (const name in yours) yours[name] = pack(yours[name]);
  const start = () => structuredClone({ given: first, ...data.start });
  let on = start(), now, right, marks, hinted;

  const stack = (name) => yours?.[name] || now.values[name];
  const spot = ([name, i, j]) => {
    const { dims: [h, R, C] } = stack(name);
    return [name, ((h > 1 ? on.head : 0) * R + i) * C + j];
  };
  const loom = {
    at: () => on.at,
    stages,
    labels: (name) => [stages[name].keys ? on.keys : on.queries, stages[name].wide && on.keys],
    pulls: (name) => plays && name in first.values && name !== "allowed",
    number: (at) => now.values[at[0]].data[spot(at)[1]],
    choose: (at, focus) => {
      on.at = at;
      update();
      const there = sheets[at[0]].there();
      if (focus) there.focus();
      // the panel that sticks covers nothing that one chose, whatever is rounded
      there.style.scrollMarginBottom = `${ui.says.offsetHeight + 1}px`;
      there.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    // what choosing shows, under the mouse; the focus and what is said stay
    hint: ({ pointerType }, at) => {
      if (pointerType !== "mouse" || `${at}` === `${hinted}`) return;
      hinted = at;
      weave(at || on.at, at ? origin(at) : marks);
    },
    press: (at) => {
      if (at[0] !== "allowed" || !plays) return `${at}` === `${on.at}` || loom.choose(at);
      on.given.values.allowed.data[spot(at)[1]] ^= 1;
      Object.assign(on, { at, mask: "your own" });
      update(" ");
    },
    pull: (x, at) => {
      if (`${at}` !== `${on.at}`) loom.choose(at);
      const place = spot(at), { data: numbers } = on.given.values[at[0]], was = numbers[place[1]], next = limit(x, -1e6, 1e6);
      if (Number.isNaN(x)) return;
      numbers[place[1]] = next;
      update(`${call(now.values, place)} went from ${write(was)} to ${write(next)}. ${next === x ? "" : "Numbers end at a million. "}`);
    },
  };
  const masked = (kind, q, k) => pack([range(q).map((i) => range(k).map((j) => kind === "none" || j <= i))]);
  const as_given = ({ X, words: { length: n } }) => ({ ...on.given, values: { ...on.given.values, X, allowed: masked(data.usual, n, n) } });
  const speak = (text, silent) => {
    const heard = spoken(text, language), { trouble = "", words } = heard;
    if (!trouble || !silent) ui.alarm.textContent = trouble;
    if (!trouble) anew({ ...on, given: as_given(heard), queries: words, keys: words, text, at: [on.at[0], 0, 0], mask: data.usual });
  };
  const anew = (state) => {
    on = state;
    ui.alarm.textContent = "";
    for (const name in sheets) sheets[name].size = "";
    update();
  };

  const judge = () => {
    const broken = lines.flatMap(({ makes, wrong }) => wrong.filter((one) => one.id === on.chosen[makes[0]])), what = broken.map((one) => ` (${one.says})`).join("");
    const told = report(yours || now.values, right.values, names), hides = broken[0] && !told && !now.stops;
    const other = hides && language && [...ui.words.children].map((one) => one.value).find((text) => {
      const given = as_given(spoken(text, language)), got = run(given, lines, on.chosen);
      return got.stops || report(got.values, run(given, lines).values, names);
    });
    ui.retry.hidden = !other;
    ui.retry.textContent = `Try “${ui.retry.value = other || ""}”`;
    ui.verdict.className = told || now.stops ? "bad" : "";
    ui.verdict.textContent = now.stops ? `✗ It stops at ${now.stops}${what}.` : told ? `✗ First wrong in ${told.replace(":", `${what}:`)}`
      : hides ? `≈ These numbers hide the mistake${what}${excuse(broken[0].id, now.sizes, now.values)}.${other ? "" : " Pull on one until it shows."}`
      : data.right;
  };
  const origin = (at) => (now.values[at[0]] ? ancestors(now, spot(at)) : {});
  const weave = ([name], marks, before) => {
    columns.forEach((column, k) => {
      const most = column.reduce((most, one) => (stages[one].unit || !stack(one) ? most : stack(one).data.reduce((a, x) => (Math.abs(x) < Infinity ? Math.max(a, Math.abs(x)) : a), most)), 1e-9);
      for (const one of column) {
        const stage = stack(one), old = sheets[one], [, R, C] = stage?.dims || [1, 1, 1], size = `${R} × ${C}`;
        if (!old || (stage && old.size !== size)) {
          sheets[one] = sheet(one, R, C, loom);
          if (old) old.figure.replaceWith(sheets[one].figure);
          else ui.loom.children[k].append(sheets[one].figure);
        }
        const differ = (other) => stage && other && stage !== other && differs(stage, other), wrong = differ(right.values[one]), some = wrong && total(wrong), { draw, note } = sheets[one];
        sheets[one].figure.classList.toggle("now", one === name);
        if (tabs[one]) [tabs[one].ariaPressed, tabs[one].className] = [one === name, some ? "bad" : marks[one] ? "from" : ""];
        draw(stage, stage && spot([one, 0, 0])[1], { wrong, from: marks[one], most: stages[one].unit ? 1 : most, near: made.includes(one) ? 1e-6 : 0.011, moved: before && R * C < 33 && differ(before[one]) });
        const told = some ? `≠ ${some} of ${wrong.length}` : stage ? size : "—";
        if (note.textContent !== told) [note.textContent, note.className] = [told, some ? "bad" : "note"];
      }
    });
    code.forEach(({ makes, line }) => line.classList.toggle("lit", makes.includes(name)));
  };
  const spell = ([name, i, j], said) => {
    const there = now.values[name], place = there && spot(on.at), mine = yours?.[name]?.data[place[1]], who = (labels, k) => `“${labels[k]}” (${k})`;
    ui.spelled.textContent = there ? call(now.values, place) + (mine === undefined || same(mine, loom.number(on.at)) ? "" : ` is ${tell(mine)} in yours; expected`) + arithmetic(now, place) : `${name} is not made.`;
    const line = lines.find(({ makes }) => makes.includes(name)), slip = line?.wrong.find((one) => one.id === on.chosen[line.makes[0]]);
    ui.meant.textContent = said + (there ? (slip ? `Its line is broken: ${slip.says}.` : stages[name].says).replace(/\{(\w)\}/g, (_, one) => ({ h: on.head, j, q: who(on.queries, i), k: who(on.keys, stages[name].keys ? i : j),
      m: now.values.allowed?.data[spot(["allowed", i, j])[1]] ? "may" : "may not", p: (100 * stack(name).data[place[1]]).toFixed(1) })[one]) : "");
    ui.puller.hidden = !loom.pulls(name);
    if (loom.pulls(name)) ui.typed.value = +loom.number(on.at).toFixed(4);
  };
  // Compute anew; `says` tells what one has changed, when it is a number, the mask or the temperature.
  const update = (says) => {
    const before = says && now.values;
    now = run(on.given, lines, on.chosen);
    right = Object.values(on.chosen).some(Boolean) ? run(on.given, lines) : now;
    const dims = stack(on.at[0])?.dims, moved = before && Object.entries(compare(now.values, before, made)).map(([name, some]) => `${some} of ${name}`);
    if (dims) on.at = on.at.map((one, k) => (k ? Math.min(one, dims[k] - 1) : one));
    // a number that moves leaves the ancestors as they are
    if (!says?.trim()) marks = origin(on.at);
    hinted = undefined;
    const { temperature } = on.given, shown = { head: on.head, mask: on.mask, slide: 2 * Math.log10(temperature), heat: write(temperature), box: on.text };
    for (const id in shown) if (ui[id]) ui[id].value = shown[id];
    code.forEach(({ makes, pick }) => pick && (pick.className = (pick.value = on.chosen[makes[0]] || "") && "bad"));
    weave(on.at, marks, before);
    spell(on.at, moved ? `${says}${moved[0] ? `Moved: ${moved.join(", ")}.` : "Nothing moves."} ` : "");
    judge();
  };

  view.insertAdjacentHTML("beforeend", data.markup);
  const ui = Object.fromEntries([...view.querySelectorAll("[id]")].map((one) => [one.id, one]));
  const code = lines.map(({ makes }, k) => ({ makes, line: ui.code.children[k], pick: ui.code.children[k].querySelector("select") }));
  const hear = (element, event, act) => element?.addEventListener(event, () => act(element.value));
  // on a phone one stage at a time
  const tabs = Object.fromEntries([...ui.stages?.children || []].map((one) => [one.value, one]));
  for (const name in tabs) hear(tabs[name], "click", () => loom.choose([name, ...on.at.slice(1)]));
  code.forEach(({ makes: [name], line, pick }) => {
    const mend = (id) => { on.chosen[name] = id; update(); };
    hear(pick, "change", mend);
    // a blank is opened, and its line is the right one
    const blank = line.querySelector(".blank"), press = line.querySelector("button");
    hear(press, "click", (text) => {
      blank.textContent = text;
      blank.className = "";
      blank.role = blank.ariaLabel = null;
      press.remove();
      mend("");
      (pick || blank).focus();
    });
  });
  hear(ui.box, "input", (text) => speak(text, true));
  hear(ui.box, "change", (text) => speak(text));
  hear(ui.retry, "click", (text) => speak(text));
  hear(ui.head, "change", (head) => { on.head = Number(head); update(); });
  hear(ui.mask, "change", (kind) => {
    on.mask = kind;
    if (kind !== "your own") on.given.values.allowed = masked(kind, on.queries.length, on.keys.length);
    update(" ");
  });
  hear(ui.slide, "input", (heat) => {
    on.given.temperature = Math.round(10 ** (heat / 2) * 100) / 100;
    update(" ");
  });
  hear(ui.again, "click", () => anew(start()));
  hear(ui.typed, "change", (x) => loom.pull(parseFloat(x), on.at));
  hear(ui.less, "click", () => loom.pull(loom.number(on.at) - 0.5, on.at));
  hear(ui.more, "click", () => loom.pull(loom.number(on.at) + 0.5, on.at));
  pullable(ui.handle, loom, () => on.at);
  update();
};
