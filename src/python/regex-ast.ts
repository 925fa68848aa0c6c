import type { SetItem } from "./regex-classes.ts";

/** Python's numbers for flags. */
export const regexFlags = { ignoreCase: 2, locale: 4, multiline: 8, dotAll: 16, unicode: 32, verbose: 64, ascii: 256 } as const;

export type Anchor = "start" | "end" | "string start" | "string end" | "boundary" | "no boundary";

/** One item of a pattern. Flags are not applied yet: a `group` says what it switches on and off for its body. */
export type Node =
  | { readonly kind: "literal"; readonly code: number; readonly negated: boolean }
  | { readonly kind: "any" }
  | { readonly kind: "set"; readonly negated: boolean; readonly items: readonly SetItem[] }
  | { readonly kind: "anchor"; readonly anchor: Anchor }
  | { readonly kind: "branch"; readonly alternatives: readonly Sequence[] }
  | { readonly kind: "group"; readonly group: number | undefined; readonly add: number; readonly remove: number; readonly body: Sequence }
  | { readonly kind: "atomic"; readonly body: Sequence }
  | {
      readonly kind: "repeat";
      readonly mode: "greedy" | "lazy" | "possessive";
      readonly min: number;
      /** Infinity: no limit. */
      readonly max: number;
      readonly body: Sequence;
    }
  | { readonly kind: "look"; readonly behind: boolean; readonly negated: boolean; readonly body: Sequence }
  | { readonly kind: "reference"; readonly group: number; readonly width: Width }
  | { readonly kind: "conditional"; readonly group: number; readonly yes: Sequence; readonly no: Sequence | undefined }
  | { readonly kind: "fail" };

/** Fewest and most characters that something matches. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

export interface Sequence {
  readonly nodes: readonly Node[];
  readonly width: Width;
}

export interface PatternTree {
  readonly body: Sequence;
  /** All flags: given, inline and implied. */
  readonly flags: number;
  readonly groups: number;
  readonly groupIndex: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
}

export function sequence(nodes: readonly Node[]): Sequence {
  let min = 0;
  let max = 0;
  for (const node of nodes) {
    const width = nodeWidth(node);
    min += width.min;
    max += width.max;
  }
  return { nodes, width: { min, max } };
}

const one: Width = { min: 1, max: 1 };
const zero: Width = { min: 0, max: 0 };

function nodeWidth(node: Node): Width {
  switch (node.kind) {
    case "literal":
    case "any":
    case "set":
      return one;
    case "anchor":
    case "look":
    case "fail":
      return zero;
    case "group":
    case "atomic":
      return node.body.width;
    case "reference":
      return node.width;
    case "branch":
      return widest(node.alternatives.map((alternative) => alternative.width));
    case "conditional":
      return widest([node.yes.width, node.no?.width ?? zero]);
    case "repeat":
      return { min: times(node.body.width.min, node.min), max: times(node.body.width.max, node.max) };
  }
}

const times = (width: number, count: number): number => (width === 0 || count === 0 ? 0 : width * count);

function widest(widths: readonly Width[]): Width {
  return widths.reduce((a, b) => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }));
}
