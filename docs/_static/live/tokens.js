/**
 * Text into the model's tokens, by BERT's rules for text without capitals (WordPiece).
 *
 * A text is cleaned, cut at spaces and punctuation, and each word into the longest pieces that the model knows.
 * The same tokens as the library `tokenizers` gives; tests compare them.
 */

export const LONGEST = 64; // tokens that the page reads, with the two round the text
const LETTERS = 100; // a longer word is unknown as a whole
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/; // these stand for themselves, where somebody types them
const LEFT_OUT = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;
const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const PUNCTUATION = /([!-\/:-@\[-`{-~\p{P}])/u;

/** A tokenizer from all pieces, in the order of their numbers. */
export function tokenizer(pieces) {
  const numbers = new Map(pieces.map((piece, i) => [piece, i]));

  function cut(word) {
    const letters = [...word];
    const found = [];
    if (letters.length > LETTERS) return ["[UNK]"];
    for (let from = 0; from < letters.length; ) {
      let to = letters.length;
      let piece;
      for (; to > from; to--) {
        piece = (from ? "##" : "") + letters.slice(from, to).join("");
        if (numbers.has(piece)) break;
      }
      if (to === from) return ["[UNK]"];
      found.push(piece);
      from = to;
    }
    return found;
  }

  /**
   * Tokens, their numbers, and how many more there were than the page reads; and the words as they were typed, each
   * with the count of its tokens.
   */
  function encode(text) {
    const ofPart = (part) => typed(part).map(([one, low]) => [one, cut(low)]);
    const read = text.split(SPECIAL).flatMap((part, i) => (i % 2 ? [[part, [part]]] : ofPart(part)));
    const all = read.flatMap(([, pieces]) => pieces);
    const tokens = ["[CLS]", ...all.slice(0, LONGEST - 2), "[SEP]"];
    const words = [];
    let room = LONGEST - 2;
    for (const [one, { length }] of read) {
      if (room > 0) words.push({ text: one, count: Math.min(length, room) });
      room -= length;
    }
    return { tokens, ids: tokens.map((one) => numbers.get(one)), cut: Math.max(0, all.length - LONGEST + 2), words };
  }

  return { encode };
}

/** Words and punctuation of a text, without capitals and accents. */
export function words(text) {
  const plain = clean(text).normalize("NFD").replace(/\p{Mn}/gu, "");
  return parted(Array.from(plain, (one) => one.toLowerCase()).join("")); // one by one: a final sigma stays the usual one
}

const clean = (text) => text.replace(LEFT_OUT, "").replace(CHINESE, " $& ");
const parted = (text) => text.split(SPACE).flatMap((word) => word.split(PUNCTUATION)).filter(Boolean);

/** The same words, each as it was typed and as the model has it. */
function typed(text) {
  const low = words(text), whole = parted(clean(text));
  return low.map((one, i) => [whole.length === low.length ? whole[i] : one, one]);
}
