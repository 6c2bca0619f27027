// All heads of all layers as small pictures; the chosen one large, with its numbers.

const build = (view, data) => {
  data.weights = unpack(data.weights);
  const [layers, heads] = [data.weights.length, data.weights[0].length];
  const queries = tokens(data.queries), keys = tokens(data.keys);
  const on = { layer: 0, head: 0, query: data.queries.length - 1, key: 0 };
  const weight = (layer, head, i, j) => data.weights[layer][head][i][j];
  const longest = Math.max(queries.length, keys.length);
  // pixels of an entry: all heads of a layer stand in one row of a page's column where they can
  const side = [4, 3].find((pixels) => longest * pixels <= 48 && heads * (keys.length * pixels + 8) <= 620) ?? (longest > 24 ? 2 : 3);

  const tile = (layer, head) => {
    const canvas = make("canvas", { width: keys.length, height: queries.length, "aria-hidden": "true" });
    canvas.style.cssText = `width:${keys.length * side}px;height:${queries.length * side}px`;
    const brush = canvas.getContext("2d");
    data.weights[layer][head].forEach((row, i) => row.forEach((x, j) => {
      brush.fillStyle = `rgb(${colour(x, "weights")})`;
      brush.fillRect(j, i, 1, 1);
    }));
    return make("button", { type: "button", "aria-label": `layer ${layer}, head ${head}: ${data.says[layer][head]}`,
      title: `layer ${layer}, head ${head}: ${data.says[layer][head]}`, "aria-pressed": "false", tabindex: -1,
      onclick: () => set({ layer, head }) }, canvas);
  };
  const tiles = data.weights.map((row, layer) => row.map((_, head) => tile(layer, head)));
  const board = make("div", { class: "tiles", role: "group", "aria-label": "all layers and heads" });
  board.style.gridTemplateColumns = `auto repeat(${heads}, auto)`;
  board.append(make("span", {}, "layer ╲ head"), ...tiles[0].map((_, head) => make("span", {}, String(head))));
  tiles.forEach((row, layer) => board.append(make("span", {}, String(layer)), ...row));
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  board.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    set({ layer: Math.max(0, Math.min(layers - 1, on.layer + move[0])),
      head: Math.max(0, Math.min(heads - 1, on.head + move[1])) });
    tiles[on.layer][on.head].focus();
  });

  const numbers = (count) => [...Array(count).keys()].map(String);
  const set = (change) => {
    const was = tiles[on.layer][on.head];
    was.setAttribute("aria-pressed", "false");
    was.setAttribute("tabindex", -1);
    Object.assign(on, change);
    update();
  };
  const [layerChoice, layerSelect] = choice("Layer", "", numbers(layers), (layer) => set({ layer }));
  const [headChoice, headSelect] = choice("Head", "", numbers(heads), (head) => set({ head }));
  const large = grid("", queries, keys, ["query", "key"], (query, key) => set({ query, key }));
  const says = make("p"), sum = make("div", { class: "sum", role: "status", "aria-live": "polite" });
  view.append(
    make("p", { class: "note" }, "Each picture is one head: a row is a query, a column a key; darker is more weight."),
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "all heads" }, board),
    make("div", { class: "row" }, layerChoice, headChoice), says, sum,
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "one head" }, large.table));

  const update = () => {
    const { layer, head, query, key } = on;
    const chosen = tiles[layer][head];
    chosen.setAttribute("aria-pressed", "true");
    chosen.setAttribute("tabindex", 0);
    layerSelect.selectedIndex = layer;
    headSelect.selectedIndex = head;
    large.table.caption.textContent = `weights[${layer}, ${head}]`;
    data.weights[layer][head].forEach((row, i) => {
      const best = row.indexOf(Math.max(...row));
      row.forEach((_, j) => {
        const x = weight(layer, head, i, j);
        dress(large.cells[i][j], x, "weights", 1, large.small ? (j === best && x ? "•" : "") : weigh(x));
      });
    });
    const x = weigh(weight(layer, head, query, key), 3);
    large.mark(query, key, `weight of query ${queries[query]} on key ${keys[key]}: ${x}`);
    says.textContent = `Layer ${layer}, head ${head}: ${data.says[layer][head]}.`;
    sum.textContent = `weights[${layer}, ${head}, ${query}, ${key}] = ${x}: query ${queries[query]} gives key ` +
      `${keys[key]} the weight ${x}.`;
  };
  update();
};
