/**
 * The reader's record, in this browser alone: `{"version": 1, "asked": [...]}`, and which units are done.
 *
 * Another tab may write at any time: what is kept is read anew, and added to. What cannot be kept counts until the
 * page is left. A record that cannot be read is kept aside, under a key of its own.
 */

const KEY = "attention-course-review", UNITS = `${KEY}-units`, ASIDE = `${KEY}-aside-`;
const VERSION = 1;
const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const SAYS = {
  forbidden: "This browser keeps nothing here (a private window, or a setting): your answers count until you leave this page.",
  full: "This browser's store is full: your answers count until you leave this page.",
  damaged: "The record that this browser kept was damaged: it is kept aside, and what can be read of it counts.",
  version: "The record that this browser kept is of another version of this page: it is kept aside, and a new one begins.",
};

const here = { asked: [], units: null }; // what could not be written
const said = new Set();

const isGood = (one) =>
  typeof one?.exercise === "string" && typeof one.kind === "string" && typeof one.right === "boolean" &&
  Number.isInteger(one.seed) && one.seed >= 0 && [0, 1, 2, 3].includes(one.sure) && WHEN.test(one.at) && Date.parse(one.at) > 0;
const only = ({ exercise, kind, seed, right, sure, at }) => ({ exercise, kind, seed, right, sure, at });
const order = ({ at, kind, exercise, seed }) => JSON.stringify([at, kind, exercise, seed]);

/** Answers of several records in their order, each once. */
function together(...records) {
  const all = new Map(records.flat().map((one) => [JSON.stringify(only(one)), only(one)]));
  return [...all.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** What a text says: answers, and what is wrong with it. */
function parsed(text) {
  if (text === null) return { asked: [] };
  try {
    const { version, asked } = JSON.parse(text);
    if (Number.isInteger(version) && version !== VERSION) return { asked: [], wrong: "version" };
    const good = Array.isArray(asked) ? asked.filter(isGood) : [];
    return { asked: good, wrong: version === VERSION && good.length === asked?.length ? undefined : "damaged" };
  } catch {
    return { asked: [], wrong: "damaged" };
  }
}

function trouble(error) {
  said.add(error?.name === "QuotaExceededError" ? "full" : "forbidden");
}

/** Reads what is kept; where it cannot be read it is set aside first, and where that fails it stays as it is. */
function stored() {
  const text = localStorage.getItem(KEY);
  const { asked, wrong } = parsed(text);
  if (wrong) {
    let number = 1;
    while (localStorage.getItem(ASIDE + number) !== null) number += 1;
    localStorage.setItem(ASIDE + number, text);
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, asked }));
    said.add(wrong);
  }
  return asked;
}

/** All answers: those that are kept, and those of this page that are not. */
export function asked() {
  try {
    return together(stored(), here.asked);
  } catch (error) {
    trouble(error);
    return here.asked;
  }
}

/** Adds answers to what is kept. */
export function add(...answers) {
  here.asked = together(here.asked, answers);
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, asked: together(stored(), here.asked) }));
    here.asked = [];
    said.delete("full");
  } catch (error) {
    trouble(error);
  }
}

/** The units that are done, or `null` where that was not said yet. */
export function units() {
  try {
    const kept = JSON.parse(localStorage.getItem(UNITS));
    return here.units ?? (Array.isArray(kept) ? kept : null);
  } catch (error) {
    if (!(error instanceof SyntaxError)) trouble(error);
    return here.units;
  }
}

/** Keeps which units are done. */
export function setUnits(names) {
  here.units = names;
  try {
    localStorage.setItem(UNITS, JSON.stringify(names));
    here.units = null;
  } catch (error) {
    trouble(error);
  }
}

/** Deletes all of it, what was kept aside too; gives what brings it back. */
export function forget() {
  const before = { ...here }, texts = {};
  Object.assign(here, { asked: [], units: null });
  try {
    for (const key of Object.keys(localStorage).filter((one) => one.startsWith(KEY))) {
      texts[key] = localStorage.getItem(key);
      localStorage.removeItem(key);
    }
  } catch (error) {
    trouble(error);
  }
  return () => {
    const { [KEY]: record = null, [UNITS]: done = null, ...aside } = texts;
    const { asked, wrong } = parsed(record);
    if (wrong) aside[`${ASIDE}0`] = record;
    add(...asked, ...before.asked);
    if (before.units) setUnits(before.units);
    else if (done) aside[UNITS] = done;
    try {
      for (const [key, text] of Object.entries(aside)) if (localStorage.getItem(key) === null) localStorage.setItem(key, text);
    } catch (error) {
      trouble(error);
    }
  };
}

/** What the reader should know of the record, in sentences. */
export const notes = () => [...said].map((name) => SAYS[name]);

/** Calls `f` when another tab has changed the record. */
export const onChange = (f) => addEventListener("storage", ({ key }) => (key === null || key.startsWith(KEY)) && f());

/** The record as lines of `progress.jsonl`, as notebooks write them. */
export const lines = (answers) =>
  answers.map(({ exercise, kind, seed, right, sure, at }) => `${JSON.stringify({ exercise, event: "asked", kind, seed, right, sure, at })}\n`).join("");

/** This moment, as notebooks write it. */
export const now = () => `${new Date().toISOString().slice(0, 19)}+00:00`;
