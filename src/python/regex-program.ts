/**
 * What the matching machine understands. The machine runs from its own source text in a worker and so cannot import
 * this table: `regex-machine.ts` spells the numbers again.
 */
export const opcodes = {
  /** No match on this path. */
  fail: 0,
  /** The whole pattern matched. */
  success: 1,
  /** `code`: one character. */
  literal: 2,
  /** `code`: any other character. */
  notLiteral: 3,
  /** Any character. */
  any: 4,
  /** `class`: a character of `classes[class]`. */
  class: 5,
  /** `target`: try what follows, then what is at `target`. */
  split: 6,
  /** `target` */
  jump: 7,
  /** `register`: remember the position, for a group. */
  mark: 8,
  /** `anchor class`: a place (`anchors`), with the word characters of `classes[class]` for `\b` and `\B`. */
  anchor: 9,
  /** `register`: the text of a group again; fails when the group took no part. */
  reference: 10,
  /** `register table`: the same without case, by the pairs of `lower[table]`. */
  lowerReference: 11,
  /** `register target`: goes on if the group took part, else at `target`. */
  conditional: 12,
  /** `register`: begin a loop; the registers are its count and the position at which its last round began. */
  loopStart: 13,
  /** `register min max exit`: one more round if allowed, with leaving as the second choice. */
  loop: 14,
  /** `register min max exit`: leave if allowed, with one more round as the second choice. Must be followed by `lazyRound`. */
  lazyLoop: 15,
  /** `register max`: the second choice of `lazyLoop`. */
  lazyRound: 16,
  /** `register`: remember the position and the choices that are open. */
  hold: 17,
  /** `register`: forget the choices opened since `hold`. */
  commit: 18,
  /** `register`: the same, and go back to the position. */
  commitAndReturn: 19,
  /** `register target`: like `hold`, and when what follows fails go on at `target`. */
  holdNot: 20,
  /** `register`: what follows `holdNot` matched, so the whole fails. */
  failNot: 21,
  /** `count`: go back by so many characters. */
  back: 22,
  /** `op operand min max`: as many as possible of one single-character op. Followed by what comes next. */
  greedy: 23,
  /** `op operand min max`: as few as possible. */
  lazy: 24,
  /** `op operand min max`: as many as possible, and never fewer. */
  possessive: 25,
} as const;

export const anchors = { stringStart: 0, lineStart: 1, end: 2, lineEnd: 3, stringEnd: 4, boundary: 5, noBoundary: 6 } as const;

/** A compiled pattern in the form that is sent to the worker. */
export interface Program {
  readonly code: Int32Array;
  /** Per set: `bitWords` words of bits for the first characters, then edges of the ranges (inside after an odd number of them). */
  readonly classes: readonly Int32Array[];
  /** Pairs character, lower case: those of ASCII and of Unicode, each empty where not needed. */
  readonly lower: readonly [ascii: Int32Array, unicode: Int32Array];
  /** Registers in all; the first two per group are its start and end. */
  readonly registers: number;
  readonly groups: number;
  /** Fewest characters of a match. */
  readonly minWidth: number;
  /** A match can only start at the start of the text. */
  readonly anchored: boolean;
  /** Index of the set that the first character is in, or -1. */
  readonly first: number;
}

/** A count or maximum beyond this is as good as none: no text is as long, and added to a position it is still a small integer. */
export const noLimit = 0x3fffffff;

/** Characters below 32 times this, which are those of most texts, are looked up by their bit. Even, as the machine relies on. */
export const bitWords = 64;
