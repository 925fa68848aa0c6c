import { PythonRegexError } from "./python-error.ts";
import { type Node, sequence } from "./regex-ast.ts";
import { isPlainGroup } from "./regex-branches.ts";
import type { PatternTokens } from "./regex-tokens.ts";

/** Python's MAXREPEAT: the first count that is too large. */
const maxRepeat = 4294967295;

/**
 * `*`, `+`, `?` or `{…}`, whose first token was taken already: repeats the last of `nodes`, in place.
 * A brace that begins no count is a literal.
 */
export function parseRepeat(tokens: PatternTokens, token: string, nodes: Node[]): void {
  const here = tokens.position;
  const counts = token === "{" ? parseCounts(tokens) : plainCounts(token);
  if (counts === undefined) {
    tokens.seek(here);
    nodes.push({ kind: "literal", code: 123, negated: false });
    return;
  }
  const { min, max } = counts;
  const item = nodes.at(-1);
  const back = tokens.position - here + 1;
  if (item === undefined || item.kind === "anchor") throw tokens.error("nothing to repeat", back);
  if (item.kind === "repeat") throw tokens.error("multiple repeat", back);
  const mode = tokens.skip("?") ? "lazy" : tokens.skip("+") ? "possessive" : "greedy";
  nodes[nodes.length - 1] = { kind: "repeat", mode, min, max, body: isPlainGroup(item) ? item.body : sequence([item]) };
}

interface Counts {
  readonly min: number;
  readonly max: number;
}

function plainCounts(token: string): Counts {
  if (token === "?") return { min: 0, max: 1 };
  return { min: token === "+" ? 1 : 0, max: Number.POSITIVE_INFINITY };
}

/** `{n}`, `{n,}`, `{,m}`, `{n,m}` or `{,}`; undefined for anything else. */
function parseCounts(tokens: PatternTokens): Counts | undefined {
  const here = tokens.position;
  if (tokens.next === "}") return undefined;
  const digit = /^[0-9]$/;
  const low = tokens.takeWhile(Number.POSITIVE_INFINITY, digit);
  const high = tokens.skip(",") ? tokens.takeWhile(Number.POSITIVE_INFINITY, digit) : low;
  if (!tokens.skip("}")) return undefined;
  const min = low === "" ? 0 : count(low);
  const max = high === "" ? Number.POSITIVE_INFINITY : count(high);
  if (max < min) throw tokens.error("min repeat greater than max repeat", tokens.position - here);
  return { min, max };
}

function count(digits: string): number {
  const value = Number(digits);
  if (value < maxRepeat) return value;
  throw new PythonRegexError("the repetition number is too large", { pythonType: "OverflowError" });
}
