import { type CodeSet, complement } from "./code-set.ts";
import { type Node, regexFlags, type Sequence } from "./regex-ast.ts";
import { anySet, type Casing, itemsSet, literalSet } from "./regex-classes.ts";
import { typeFlags } from "./regex-inline-flags.ts";

export function casingOf(flags: number): Casing {
  if (!(flags & regexFlags.ignoreCase)) return "exact";
  return flags & regexFlags.unicode ? "unicode" : "ascii";
}

/** What a single-character node matches under these flags, or undefined for any other node. */
export function characterSet(node: Node, flags: number): CodeSet | undefined {
  const casing = casingOf(flags);
  switch (node.kind) {
    case "literal": {
      const set = literalSet(node.code, casing);
      return node.negated ? complement(set) : set;
    }
    case "any":
      return anySet((flags & regexFlags.dotAll) !== 0);
    case "set":
      return itemsSet(node.items, node.negated, casing, (flags & regexFlags.ascii) !== 0);
    default:
      return undefined;
  }
}

/** The flags inside a group. */
export function groupFlags(flags: number, add: number, remove: number): number {
  return ((add & typeFlags ? flags & ~typeFlags : flags) | add) & ~remove;
}

/** The set of a body that is one character wide and nothing else, looking through groups that only change flags. */
export function singleCharacter(body: Sequence, flags: number): CodeSet | undefined {
  const [node, ...others] = body.nodes;
  if (node === undefined || others.length > 0) return undefined;
  if (node.kind === "group" && node.group === undefined) return singleCharacter(node.body, groupFlags(flags, node.add, node.remove));
  return characterSet(node, flags);
}
