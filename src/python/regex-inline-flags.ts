import { regexFlags } from "./regex-ast.ts";
import { lengthOf, type PatternTokens } from "./regex-tokens.ts";

const byLetter: ReadonlyMap<string, number> = new Map([
  ["i", regexFlags.ignoreCase],
  ["L", regexFlags.locale],
  ["m", regexFlags.multiline],
  ["s", regexFlags.dotAll],
  ["x", regexFlags.verbose],
  ["a", regexFlags.ascii],
  ["u", regexFlags.unicode],
]);

export const typeFlags = regexFlags.ascii | regexFlags.locale | regexFlags.unicode;

/** `(?i)` for the whole pattern, or `(?i-m:…)` for a group. */
export type InlineFlags =
  | { readonly kind: "global"; readonly flags: number }
  | { readonly kind: "group"; readonly add: number; readonly remove: number };

export const startsInlineFlags = (token: string): boolean => token === "-" || byLetter.has(token);

/** The flags behind `(?`, whose first token was taken already, with the `)` or `:` behind them. */
export function parseInlineFlags(tokens: PatternTokens, token: string): InlineFlags {
  let end = token;
  let add = 0;
  if (token !== "-") {
    const added = readLetters(tokens, token, ")-:", "missing -, : or )", checkAdded(tokens));
    add = added.flags;
    end = added.end;
  }
  if (end === ")") return { kind: "global", flags: add };
  if (end === ":") return { kind: "group", add, remove: 0 };
  const first = tokens.take();
  if (first === undefined) throw tokens.error("missing flag");
  if (!byLetter.has(first)) throw unknown(tokens, first, "missing flag");
  const removed = readLetters(tokens, first, ":", "missing :", (flag) => {
    if (flag & typeFlags) throw tokens.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
  });
  if (add & removed.flags) throw tokens.error("bad inline flags: flag turned on and off", 1);
  return { kind: "group", add, remove: removed.flags };
}

function checkAdded(tokens: PatternTokens): (flag: number, all: number) => void {
  return (flag, all) => {
    if (flag === regexFlags.locale) throw tokens.error("bad inline flags: cannot use 'L' flag with a str pattern");
    if (flag & typeFlags && (all & typeFlags) !== flag) {
      throw tokens.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    }
  };
}

function readLetters(
  tokens: PatternTokens,
  first: string,
  ends: string,
  missing: string,
  check: (flag: number, all: number) => void,
): { readonly flags: number; readonly end: string } {
  let flags = 0;
  let letter = first;
  for (;;) {
    const flag = byLetter.get(letter);
    if (flag === undefined) throw unknown(tokens, letter, missing);
    flags |= flag;
    check(flag, flags);
    const next = tokens.take();
    if (next === undefined) throw tokens.error(missing);
    if (ends.includes(next)) return { flags, end: next };
    letter = next;
  }
}

function unknown(tokens: PatternTokens, token: string, missing: string): Error {
  return tokens.error(/^\p{L}$/u.test(token) ? "unknown flag" : missing, lengthOf(token));
}
