/** "Run up to here": the cells of a page from the first to one, in order. */

import * as book from "./book.js";
import { cell } from "./cell.js";
import { LONG, alone, blockOf, choose, jump, once, secondsOf, soon } from "./running.js";
import { machine } from "./machine.js";

const ASKED_ELSEWHERE = /^(before_you_start|inventory|hand_in)\(/;

/** The cells up to one that run: no checks, which the cards do. */
async function upToThis(id) {
  const all = await book.all(), last = all.findIndex((one) => one.id === id);
  return all.slice(0, last + 1).filter(({ cell: given, source }) =>
    (!given || (given.cell_type === "code" && !given.metadata?.nbgrader?.grade)) && !ASKED_ELSEWHERE.test(source));
}

export const upTo = (here) =>
  alone(here, async () => {
    here.load("Starting Python.");
    const them = await upToThis(here.id);
    await soon(here, "plots");
    const long = them.filter(({ id }) => id !== here.id && secondsOf(id) > LONG).map(({ id }) => id);
    const without = await choose(here, long, ["One of the cells above takes", "# of the cells above take together"]);
    if (!without) return undefined;
    const stopped = [];
    let ran = 0;
    for (const { id } of them) {
      here.load(`Running ${(ran += 1)} of ${them.length}.`);
      const cells = await book.code();
      if (without.includes(id)) continue;
      if (without.length && (await machine.ask("first", { cells, cell: id })).some((one) => without.includes(one))) continue;
      const block = blockOf(id);
      const there = id === here.id ? here : block?.dataset.cell ? cell(block) : { id, output: undefined };
      const said = await once(there, cells, { alone: true });
      if (said.error) stopped.push(id);
    }
    here.load("");
    const said = `${them.length} cells ran${stopped.length ? `, and ${stopped.length} of them stopped. The first was ` : "."}`;
    here.say(...(stopped.length ? [said, jump(stopped[0], "this one"), "."] : [said]));
    return stopped;
  });
