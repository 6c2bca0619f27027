/** A notebook's file: made of what is on the page, and taken back. Nothing here knows of pages. */

const lines = (text) => text.split(/(?<=\n)/);
const sourceOf = ({ source }) => [source].flat().join("");
const textsOf = (cells) => cells.filter(({ cell_type }) => cell_type === "code");
const idOf = ({ id, metadata }) => id ?? metadata?.id ?? metadata?.nbgrader?.grade_id; // Colab has it elsewhere
const gradeOf = ({ metadata }) => (metadata?.nbgrader?.solution ? metadata.nbgrader.grade_id : undefined);
const titleOf = ({ cells }) => /^# (.+)/m.exec(cells.filter((one) => one.cell_type === "markdown").map(sourceOf).join("\n"))?.[1];

/** The course's notebook with what the reader wrote: `all` are its cells in order, as `book.js` gives them. */
export function made(course, all) {
  const cells = all.map(({ cell, id, source }) => {
    if (!cell) return { cell_type: "code", id, metadata: {}, execution_count: null, source: lines(source), outputs: [] };
    return cell.cell_type === "code" ? { ...cell, source: lines(source) } : cell;
  });
  return { ...course, cells };
}

/**
 * What a file has that the course's notebook has not: `{answers, cells, own}`, each `{id, source}`, answers by the name of
 * their exercise, and `after` of the reader's own.
 *
 * Throws an Error whose message says in a sentence what was expected and what came.
 */
export function taken(course, text, name) {
  const wanted = titleOf(course);
  let file;
  try {
    file = JSON.parse(text);
    if (!Array.isArray(file.cells)) throw new TypeError("no cells");
    for (const one of file.cells) sourceOf(one);
  } catch {
    throw new Error(`${name} is not a notebook. This page takes a notebook of "${wanted}". Nothing has changed.`);
  }
  const known = new Map(textsOf(course.cells).map((one) => [one.id, one]));
  const grades = (cells) => new Set(cells.map(gradeOf).filter(Boolean));
  const here = grades(course.cells), there = grades(file.cells);
  const title = titleOf(file);
  if (title !== wanted && ![...there].some((one) => here.has(one))) {
    throw new Error(`${name} is ${title ? `"${title}"` : "another notebook"}. This page takes a notebook of "${wanted}". Nothing has changed.`);
  }
  const more = [...there].filter((one) => !here.has(one)), less = [...here].filter((one) => !there.has(one));
  if (more.length) {
    const lacks = less.length ? `, and this page has ${less.join(", ")} in its place` : "";
    throw new Error(`${name} is of another edition of "${wanted}": it has ${more.join(", ")}${lacks}. Nothing has changed.`);
  }
  const found = { answers: [], cells: [], own: [] };
  let last = known.keys().next().value;
  for (const cell of textsOf(file.cells)) {
    const id = idOf(cell), source = sourceOf(cell), given = known.get(id);
    if (given) {
      last = id;
      if (source === sourceOf(given) || given.metadata?.nbgrader?.grade) continue;
      const name = gradeOf(given);
      if (name) found.answers.push({ id: name, source });
      else found.cells.push({ id, source });
    } else if (source.trim()) {
      found.own.push({ id: OWN.test(id) ? id : `own-${found.own.length}-${digest(source)}`, source, after: last });
      last = found.own.at(-1).id;
    }
  }
  return found;
}

const OWN = /^own-[\w-]+$/;

/** What stands for a text: the same file gives the same cells again. */
const digest = (text) => [...text].reduce((sum, one) => (Math.imul(sum, 31) + one.codePointAt(0)) >>> 0, 7).toString(36);
