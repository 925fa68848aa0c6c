import { type CodeSet, codeLimit, emptySet, fullSet, union } from "./code-set.ts";
import { type Node, regexFlags, type Sequence } from "./regex-ast.ts";
import { characterSet, groupFlags } from "./regex-characters.ts";

/** What something can start with, and whether it can also be empty, so that what follows counts too. */
interface First {
  readonly set: CodeSet;
  readonly maybeEmpty: boolean;
}

const transparent: First = { set: emptySet, maybeEmpty: true };
const unknown: First = { set: fullSet, maybeEmpty: true };

/** The characters that a match can start with; undefined when it may be empty or start with anything. */
export function firstCharacters(body: Sequence, flags: number): CodeSet | undefined {
  const { set, maybeEmpty } = firstOfSequence(body, flags);
  const anything = set[0] === 0 && set[1] === codeLimit;
  return maybeEmpty || anything ? undefined : set;
}

/** Whether a match can only start where the text starts. */
export function startsAnchored(body: Sequence, flags: number): boolean {
  const [node] = body.nodes;
  switch (node?.kind) {
    case "anchor":
      return node.anchor === "string start" || (node.anchor === "start" && !(flags & regexFlags.multiline));
    case "group":
      return startsAnchored(node.body, groupFlags(flags, node.add, node.remove));
    case "atomic":
      return startsAnchored(node.body, flags);
    case "branch":
      return node.alternatives.every((alternative) => startsAnchored(alternative, flags));
    default:
      return false;
  }
}

function firstOfSequence(body: Sequence, flags: number): First {
  const sets: CodeSet[] = [];
  for (const node of body.nodes) {
    const first = firstOf(node, flags);
    sets.push(first.set);
    if (!first.maybeEmpty) return { set: union(sets), maybeEmpty: false };
  }
  return { set: union(sets), maybeEmpty: true };
}

function firstOf(node: Node, flags: number): First {
  const set = characterSet(node, flags);
  if (set !== undefined) return { set, maybeEmpty: false };
  switch (node.kind) {
    case "anchor":
    case "look":
      return transparent;
    case "group":
      return firstOfSequence(node.body, groupFlags(flags, node.add, node.remove));
    case "atomic":
      return firstOfSequence(node.body, flags);
    case "repeat": {
      const first = firstOfSequence(node.body, flags);
      return node.min === 0 ? { set: first.set, maybeEmpty: true } : first;
    }
    case "branch": {
      const firsts = node.alternatives.map((alternative) => firstOfSequence(alternative, flags));
      return { set: union(firsts.map((first) => first.set)), maybeEmpty: firsts.some((first) => first.maybeEmpty) };
    }
    case "fail":
      return { set: emptySet, maybeEmpty: false };
    default:
      return unknown;
  }
}
