import { isAlias, isMap, isScalar, isSeq, type Node, visit, type YAMLMap } from "yaml";
import { fieldText, placeIn } from "../issues.ts";
import type { ParsedYaml } from "../yaml/yaml.ts";
import { kindOfScalar } from "../yaml/yaml-kinds.ts";
import type { Row, RowPlace } from "./row.ts";

/** Rows that stand in the task file itself. */
export function inlineRows(parsed: ParsedYaml, rows: readonly object[]): readonly Row[] {
  const nodes = new RowNodes(parsed);
  return rows.map((fields, index) => new InlineRow(fields, index, nodes));
}

class InlineRow implements Row {
  readonly fields: object;
  readonly #index: number;
  readonly #nodes: RowNodes;

  constructor(fields: object, index: number, nodes: RowNodes) {
    this.fields = fields;
    this.#index = index;
    this.#nodes = nodes;
  }

  isFloat(field: string): boolean {
    return this.#nodes.isFloat(this.#index, field);
  }

  place(): RowPlace {
    return this.#nodes.place(this.#index);
  }
}

/** The nodes behind the rows: a value does not tell `1.0` from `1`, its node does. */
class RowNodes {
  readonly #parsed: ParsedYaml;
  #anchors: ReadonlyMap<string, Node> | undefined;

  constructor(parsed: ParsedYaml) {
    this.#parsed = parsed;
  }

  place(index: number): RowPlace {
    const path = ["dataset", "rows", index];
    return { ...placeIn(this.#parsed, path), field: fieldText(path) };
  }

  isFloat(index: number, field: string): boolean {
    const dataset = this.#field(this.#target(this.#parsed.root), "dataset");
    const rows = this.#field(dataset, "rows");
    const node = this.#field(isSeq(rows) ? this.#target(rows.items[index]) : undefined, field);
    return isScalar(node) && kindOfScalar(node) === "float";
  }

  #field(node: unknown, name: string): unknown {
    return isMap(node) ? (this.#ownField(node, name) ?? this.#mergedField(node, name)) : undefined;
  }

  /** Of equal keys the last one counts. */
  #ownField(map: YAMLMap, name: string): unknown {
    const pair = map.items.findLast(({ key }) => {
      const node = this.#target(key);
      return isScalar(node) && node.value === name;
    });
    return this.#target(pair?.value);
  }

  #mergedField(map: YAMLMap, name: string): unknown {
    for (const { key, value } of map.items) {
      if (!isScalar(key) || key.value !== "<<") continue;
      const merged = this.#target(value);
      for (const part of isSeq(merged) ? merged.items : [merged]) {
        const found = this.#field(this.#target(part), name);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** What an alias stands for. */
  #target(node: unknown): unknown {
    if (!isAlias(node)) return node ?? undefined;
    this.#anchors ??= anchorsOf(this.#parsed.root);
    return this.#anchors.get(node.source);
  }
}

function anchorsOf(root: unknown): ReadonlyMap<string, Node> {
  const anchors = new Map<string, Node>();
  if (!isMap(root) && !isSeq(root)) return anchors;
  visit(root, {
    Value(_key, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return anchors;
}
