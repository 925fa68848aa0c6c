import { type Node, type Sequence, sequence } from "./regex-ast.ts";
import type { SetItem } from "./regex-classes.ts";

/**
 * The nodes for `a|b|c`. As in Python, a common beginning is taken out and single characters become one set: this is
 * faster, and in sets without case some letters mean something else (see `regex-classes.ts`).
 */
export function joinAlternatives(alternatives: readonly Sequence[]): readonly Node[] {
  const [first, ...others] = alternatives.map((alternative) => alternative.nodes);
  if (first === undefined || others.length === 0) return first ?? [];
  const prefix: Node[] = [];
  for (const node of first) {
    const key = comparable(node);
    if (key === undefined || others.some((other) => comparable(other[prefix.length]) !== key)) break;
    prefix.push(node);
  }
  const rests = alternatives.map(({ nodes }) => nodes.slice(prefix.length));
  const items = rests.map(setItems);
  const set = items.every((one) => one !== undefined);
  if (set) return [...prefix, { kind: "set", negated: false, items: items.flat() }];
  return [...prefix, { kind: "branch", alternatives: rests.map(sequence) }];
}

/** Equal for nodes that match the same; undefined where Python does not compare. */
function comparable(node: Node | undefined): string | undefined {
  switch (node?.kind) {
    case "literal":
    case "any":
    case "set":
    case "anchor":
    case "reference":
    case "fail":
      return JSON.stringify(node);
    default:
      return undefined;
  }
}

function setItems(nodes: readonly Node[]): readonly SetItem[] | undefined {
  const [node, ...more] = nodes;
  if (node === undefined || more.length > 0) return undefined;
  if (node.kind === "literal" && !node.negated) return [{ kind: "range", first: node.code, last: node.code, single: true }];
  return node.kind === "set" && !node.negated ? node.items : undefined;
}

/** Puts the body of each `(?:…)` in the place of the group. */
export function unpackGroups(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => (isPlainGroup(node) ? node.body.nodes : [node]));
}

export function isPlainGroup(node: Node): node is Extract<Node, { kind: "group" }> {
  return node.kind === "group" && node.group === undefined && node.add === 0 && node.remove === 0;
}
