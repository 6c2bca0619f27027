// "Who is the impostor?": one round after another, out of the numbers that the page holds.
{
  const home = document.getElementById("impostor");
  const { texts, rounds } = JSON.parse(document.getElementById("impostor-rounds").textContent);
  const make = (tag, attributes, ...children) => {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.append(...children);
    return one;
  };
  const heads = (names, scope) => names.split(" ").map((name) => make("th", { scope }, name));
  const table = ([caption, rows, columns, cells], shaded) => {
    const look = (text) => (shaded ? { class: `w${Math.floor(20 * Number(text) + 0.5)}` } : {});
    const lines = cells.split("|").map((line) => line.split(" ").map((text) => make("td", look(text), text)));
    const body = heads(rows, "row").map((head, i) => make("tr", {}, head, ...lines[i]));
    const top = make("tr", {}, make("td", {}), ...heads(columns, "col"));
    return make("table", {}, make("caption", {}, caption), make("thead", {}, top), make("tbody", {}, ...body));
  };

  const heading = make("h2", { tabindex: -1 });
  const about = make("p", {});
  const inputs = make("div", { class: "inputs" });
  const suspects = make("div", { class: "suspects" });
  const verdict = make("div", { role: "status", "aria-live": "polite", class: "verdict" });
  const next = make("button", { type: "button", class: "next" }, "Next");
  const count = make("p", { class: "count" });
  home.replaceChildren(heading, about, inputs, suspects, verdict, make("div", { class: "below" }, next, count));

  let place = 0, guesses = 0, played = 0, atOnce = 0;
  const accuse = (round, number, { currentTarget: button }) => {
    if (button.getAttribute("aria-disabled")) return; // one that is disabled would lose the focus
    const found = number === round.who;
    guesses += 1;
    if (guesses === 1) { played += 1; atOnce += found; }
    const all = [...suspects.querySelectorAll("button")];
    for (const one of found ? all : [button]) one.setAttribute("aria-disabled", "true");
    button.textContent = `${"ABCD"[number]} is ${found ? "the impostor ✗" : "right ✓"}`;
    if (found) {
      const [i, j] = round.at;
      suspects.children[number].classList.add("guilty");
      suspects.children[number].querySelectorAll("tbody tr")[i].children[j + 1].classList.add("at");
    }
    const why = texts[round.maps[number][4]];
    const name = `<strong>${"ABCD"[number]} is ${found ? "the impostor" : "right"}.</strong>`;
    verdict.innerHTML = `<p>${name} ${found ? `${round.reason} ${texts[round.link]}` : `${why} Who else?`}</p>`;
    count.textContent = `Found at the first guess: ${atOnce} of ${played}.`;
    verdict.scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    const round = rounds[place];
    guesses = 0;
    heading.textContent = `Round ${place + 1} of ${rounds.length}`;
    about.textContent = texts[round.about];
    inputs.replaceChildren(...round.inputs.map((one) => table(one, false)));
    suspects.replaceChildren(...round.maps.map((one, number) => {
      const button = make("button", { type: "button" }, `Accuse ${"ABCD"[number]}`);
      button.addEventListener("click", (event) => accuse(round, number, event));
      return make("div", { class: "suspect" }, table(one, round.shaded), button);
    }));
    verdict.replaceChildren();
  };
  next.addEventListener("click", () => {
    place = (place + 1) % rounds.length;
    show();
    heading.focus({ preventScroll: true });
    heading.scrollIntoView();
  });
  show();
}
