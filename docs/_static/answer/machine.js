/** The page's one Python, for its cards and its cells. */

import { unit } from "./book.js";
import { record } from "./kept.js";
import { python } from "./python.js";

const worker = new URL("../../python/worker.js", import.meta.url);
const LINES = () => import("../review/kept.js").then(({ asked, lines }) => lines(asked()));
let shows, soon; // what shows how Python comes: the card or the cell that was touched last

const told = async () => {
  const [kept, asked] = await Promise.all([record.lines().catch(() => ""), LINES().catch(() => "")]);
  return { record: kept + asked, unit, soon };
};

const one = python(worker, (progress) => shows?.(progress), told);

export const machine = {
  ...one,
  /** Begins Python; `how.shows` is told how it comes, and `how.soon` says that a cell will "run" or "draw" next. */
  begin(how = {}) {
    if (how.shows) shows = how.shows;
    soon = how.soon ?? soon;
    return one.begin();
  },
};

/** Keeps what is new in the reader's record, which Python has written. */
export async function keep(news) {
  if (!news) return;
  const { added, all } = record;
  if (news.all === undefined) await added(news.more).catch(() => {});
  else await all(news.all).catch(() => {});
}
