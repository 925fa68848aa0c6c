import type { Node } from "./regex-ast.ts";
import type { SetItem } from "./regex-classes.ts";
import { parseSetEscape } from "./regex-escapes.ts";
import { lengthOf, type PatternTokens } from "./regex-tokens.ts";

const operators: ReadonlyMap<string, string> = new Map([
  ["-", "difference"],
  ["&", "intersection"],
  ["~", "symmetric difference"],
  ["|", "union"],
]);

/** `[…]`, whose opening bracket was taken already. `warn` gets Python's warnings. */
export function parseSet(tokens: PatternTokens, warn: (text: string) => void): Node {
  const here = tokens.position - 1;
  const end = () => tokens.error("unterminated character set", tokens.position - here);
  if (tokens.next === "[") warn(`Possible nested set at position ${tokens.position}`);
  const negated = tokens.skip("^");
  const items: SetItem[] = [];
  for (;;) {
    const token = tokens.take();
    if (token === undefined) throw end();
    if (token === "]" && items.length > 0) break;
    const operator = operators.get(token);
    if (items.length > 0 && operator !== undefined && tokens.next === token) {
      warn(`Possible set ${operator} at position ${tokens.position - 1}`);
    }
    const item = parseSetItem(tokens, token);
    if (!tokens.skip("-")) {
      items.push(item);
      continue;
    }
    const last = tokens.take();
    if (last === undefined) throw end();
    if (last === "]") {
      items.push(item, single(45));
      break;
    }
    if (last === "-") warn(`Possible set difference at position ${tokens.position - 2}`);
    items.push(range(item, parseSetItem(tokens, last), () => badRange(tokens, token, last)));
  }
  const distinct = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  const [only] = distinct;
  if (distinct.length === 1 && only?.kind === "range" && only.single) return { kind: "literal", code: only.first, negated };
  return { kind: "set", negated, items: distinct };
}

function parseSetItem(tokens: PatternTokens, token: string): SetItem {
  return token.startsWith("\\") ? parseSetEscape(tokens, token) : single(token.codePointAt(0) ?? 0);
}

const single = (code: number): SetItem => ({ kind: "range", first: code, last: code, single: true });

function range(first: SetItem, last: SetItem, error: () => Error): SetItem {
  if (first.kind !== "range" || last.kind !== "range" || last.first < first.first) throw error();
  return { kind: "range", first: first.first, last: last.first, single: false };
}

function badRange(tokens: PatternTokens, first: string, last: string): Error {
  return tokens.error(`bad character range ${first}-${last}`, lengthOf(first) + 1 + lengthOf(last));
}
