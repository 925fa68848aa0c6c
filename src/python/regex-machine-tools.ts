/*
 * Small parts of the matching machine. Each function is sent to the worker as its source text, alone: it must not use
 * anything but its arguments and JavaScript's own globals. Numbers of ops as in `regex-program.ts`.
 */

/**
 * What a search gives: start and end of the match and of each group (-1: took no part), undefined for no match, or
 * `memory` when backtracking needs more words than it may have.
 */
export type Found = Int32Array | "memory" | undefined;

/** Whether a set of `Program.classes` holds a character. */
function inClass(words: Int32Array, character: number): boolean {
  if (character < 2048) return (((words[character >> 5] ?? 0) >>> (character & 31)) & 1) === 1;
  let low = 64;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? 0) <= character) low = middle + 1;
    else high = middle;
  }
  return (low & 1) === 1;
}

/** Whether an anchor (numbers of `anchors`) holds at a position. `word`: the set for `\b` and `\B`. */
function anchorHolds(anchor: number, word: Int32Array, text: Int32Array, position: number, isIn: typeof inClass): boolean {
  const end = text.length - 1;
  switch (anchor) {
    case 0:
      return position === 0;
    case 1:
      return position === 0 || text[position - 1] === 10;
    case 2:
      return position === end || (position === end - 1 && text[position] === 10);
    case 3:
      return position === end || text[position] === 10;
    case 4:
      return position === end;
    default: {
      // Up to Python 3.13, neither \b nor \B holds in an empty text.
      if (end === 0) return false;
      const before = position > 0 && isIn(word, text[position - 1] ?? 0);
      const after = position < end && isIn(word, text[position] ?? 0);
      return (before !== after) === (anchor === 5);
    }
  }
}

/** Where a run of characters that match a single-character op ends: it starts at `from` and ends at `limit` at the latest. */
function endOfRun(
  op: number,
  operand: number,
  words: Int32Array,
  text: Int32Array,
  from: number,
  limit: number,
  isIn: typeof inClass,
): number {
  let at = from;
  if (op === 4) return limit;
  if (op === 3) while (at < limit && text[at] !== operand) at += 1;
  else if (op === 2) while (at < limit && text[at] === operand) at += 1;
  else while (at < limit && isIn(words, text[at] ?? 0)) at += 1;
  return at;
}

/** Where the text of a group ends when it stands again at `position`, or -1. */
function endOfReference(
  text: Int32Array,
  from: number,
  to: number,
  position: number,
  lower: ReadonlyMap<number, number> | undefined,
): number {
  if (from < 0 || to < from || position + to - from >= text.length) return -1;
  for (let i = 0; i < to - from; i += 1) {
    const a = text[from + i] ?? 0;
    const b = text[position + i] ?? 0;
    if (a !== b && (lower === undefined || (lower.get(a) ?? a) !== (lower.get(b) ?? b))) return -1;
  }
  return position + to - from;
}

function larger(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(words.length * 2);
  copy.set(words);
  return copy;
}

function pairsToMap(pairs: Int32Array): Map<number, number> {
  const map = new Map<number, number>();
  for (let i = 0; i + 1 < pairs.length; i += 2) map.set(pairs[i] ?? 0, pairs[i + 1] ?? 0);
  return map;
}

export const machineTools = { inClass, anchorHolds, endOfRun, endOfReference, larger, pairsToMap };
export type MachineTools = typeof machineTools;
