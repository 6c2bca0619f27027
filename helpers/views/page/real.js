// A sentence in a real model: press a head, and only its threads remain in its layer.

const build = (view, data) => {
  const [layers, heads, n] = data.shape, [one, two] = data.pair, ways = Object.keys(data.ways);
  for (const way of Object.values(data.ways)) {
    const text = atob(way.weights), bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    way.weights = new Int16Array(bytes.buffer);
  }
  const on = { way: ways[0], layer: 0, head: null };
  const seen = () => data.ways[on.way];
  const weight = (layer, head, i, j) => seen().weights[((layer * heads + head) * n + i) * n + j] * seen().step;
  const picture = make("div", { role: "img", "aria-label": [...data.said, ...data.under].join(" ") });
  const says = make("p", { role: "status" });

  const thread = (x, y, layer, i, j, size) => {
    const own = i === one || i === two, pale = /^\[(CLS|SEP)\]$/.test(data.tokens[j]) ? 0.45 : 1;
    const top = y[layer], step = y[1] - y[0];
    return `<path fill="none" d="M${x[j]} ${top + 5}C${x[j]} ${top + 0.55 * step} ${x[i]} ${top + 0.45 * step} ${x[i]} ${top + step - 5}"
      stroke-width="${(own ? 9 : 5) * size + 0.4}" opacity="${(own ? 0.9 : 0.45) * pale}"
      style="stroke:var(--${i === one ? "one" : i === two ? "two" : "thread"})"/>`;
  };
  // the largest weights of each query, as in the fixed picture
  const threads = (x, y, layers, of) => layers.flatMap((layer) => data.tokens.flatMap((_, i) => {
    const own = i === one || i === two, [least, most, few] = data.least;
    const row = data.tokens.map((_, j) => [Math.abs(of(layer, i, j)), j]).filter(([size]) => size > least);
    row.sort((p, q) => q[0] - p[0]);
    return row.slice(0, own ? most : few).map(([size, j]) => [own, thread(x, y, layer, i, j, Math.min(1.5, size))]);
  })).sort((p, q) => p[0] - q[0]).map(([, text]) => text).join("");
  const group = (inside, look) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
    made.innerHTML = inside;
    made.setAttribute("class", look);
    return made;
  };
  const all = [...Array(layers).keys()], every = [...Array(heads).keys()];
  const draw = () => {
    // drawn in Python, where tokens become text
    picture.innerHTML = seen().cloth;
    const svg = picture.firstChild, [x, y] = [svg.dataset.x, svg.dataset.y].map((text) => text.split(" ").map(Number));
    const mean = (layer, i, j) => every.reduce((sum, head) => sum + weight(layer, head, i, j), 0) / heads;
    svg.prepend(group(threads(x, y, all, mean), on.head === null ? "" : "dim"));
    if (on.head === null) return;
    svg.firstChild.after(group(threads(x, y, [on.layer], (layer, i, j) => weight(layer, on.head, i, j)), ""));
  };

  const looks = (i) => {
    const row = [...Array(n).keys()].map((j) => weight(on.layer, on.head, i, j)), j = row.indexOf(Math.max(...row));
    return `${data.tokens[i]} (${i}) looks most at ${data.tokens[j]} (${j}), with ${fixed(row[j], 2)}`;
  };
  const speak = () => {
    says.textContent = "Each map is one head, a row a query and a column a key; darker is more weight. Press one to see its threads alone.";
    if (on.head === null) return;
    const { effects, last } = seen(), moves = effects && effects[on.layer * heads + on.head];
    const without = effects ? `. Without it the cosine ends at ${fixed(last + moves, 2)} instead of ${fixed(last, 2)}` : "";
    says.textContent = `Head ${on.head} of layer ${on.layer}: ${looks(one)}; ${looks(two)}${without}.`;
  };

  const paint = (canvas, layer, head) => {
    const brush = canvas.getContext("2d"), image = brush.createImageData(n, n);
    for (let at = 0; at < n * n; at++) {
      const share = Math.sqrt(Math.min(1, Math.abs(weight(layer, head, Math.floor(at / n), at % n))));
      [110, 55, 0].forEach((dark, part) => { image.data[4 * at + part] = 255 + (dark - 255) * share; });
      image.data[4 * at + 3] = 255;
    }
    brush.putImageData(image, 0, 0);
  };
  const most = Math.max(0.01, ...ways.flatMap((way) => data.ways[way].effects ?? []).map(Math.abs));
  const tile = (layer, head) => {
    const canvas = make("canvas", { width: n, height: n, "aria-hidden": "true" });
    const button = make("button", { type: "button", tabindex: layer + head ? -1 : 0, onclick: () =>
      choose(layer, on.head === head && on.layer === layer ? null : head) }, canvas);
    if (data.ways.right.effects) button.append(make("span", { class: "bar" }, make("i")));
    return button;
  };
  const tiles = [...Array(layers).keys()].map((layer) => [...Array(heads).keys()].map((head) => tile(layer, head)));
  const board = make("div", { class: "tiles", role: "group", "aria-label": "all heads; arrow keys move" }, make("span", { class: "top" }));
  board.style.gridTemplateColumns = `14px repeat(${heads}, auto)`;
  board.append(...tiles[0].map((_, head) => make("span", { class: "top" }, String(head))));
  tiles.forEach((row, layer) => board.append(make("span", { class: "layer" }, String(layer)), ...row));
  let at = [0, 0];
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  board.addEventListener("keydown", (event) => {
    const move = moves[event.key], next = move && tiles[at[0] + move[0]]?.[at[1] + move[1]];
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    walk(at[0] + move[0], at[1] + move[1]);
    next.focus();
  });
  const walk = (layer, head) => {
    tiles[at[0]][at[1]].setAttribute("tabindex", -1);
    at = [layer, head];
    tiles[layer][head].setAttribute("tabindex", 0);
  };
  const choose = (layer, head) => {
    Object.assign(on, { layer, head });
    if (head !== null) walk(layer, head);
    update();
  };

  const update = () => {
    draw();
    speak();
    tiles.forEach((row, layer) => row.forEach((button, head) => {
      paint(button.firstChild, layer, head);
      button.setAttribute("aria-pressed", String(on.layer === layer && on.head === head));
      const moved = seen().effects?.[layer * heads + head];
      button.setAttribute("aria-label", `layer ${layer}, head ${head}${moved === undefined ? "" : `: without it ${moved < 0 ? "−" : "+"}${fixed(Math.abs(moved), 3)}`}`);
      const bar = button.querySelector("i");
      if (!bar) return;
      bar.style.width = `${(100 * Math.abs(moved)) / most}%`;
      bar.className = moved > 0 ? "more" : "";
    }));
    choices.forEach((button, way) => button.setAttribute("aria-pressed", String(ways[way] === on.way)));
  };
  const names = { yours: "With yours", right: "With a right answer" };
  const choices = ways.length > 1 ? ways.map((way) => make("button", { type: "button",
    onclick: () => { on.way = way; update(); } }, names[way])) : [];
  view.append(
    ...data.said.map((text) => make("p", {}, text)),
    ...(choices.length ? [make("div", { class: "row ways", role: "group", "aria-label": "which answer runs" }, ...choices)] : []),
    make("div", { class: "two" }, picture, make("div", {}, board)), says,
    ...data.under.map((text) => make("p", {}, text)));
  update();
};
