import type { LineageEntry } from "../resolved-task.ts";
import { isMapping } from "../schema/field-types.ts";
import type { Layer, Root } from "./layer.ts";
import { clearedBy, type Fields, mergeFields } from "./merge.ts";
import { fieldRule, settingsRules } from "./merge-rules.ts";

export type LineageDraft = Map<string, LineageEntry>;
type Source = Pick<Layer, "source" | "detailOf">;

/**
 * Lays what a layer sets below `root` on what the lower layers have set, and notes in `lineage` what came from it
 * (formats.md 3.2): one entry per field, with the merged value; of a free mapping one per key; of a dialog one in all.
 */
export function layOn(root: Root, below: Fields, layer: Source, block: Fields, lineage: LineageDraft): Fields {
  const rule = settingsRules()[root];
  const merged = mergeFields(rule, below, block);
  const note = (path: string, value: unknown): void => {
    lineage.set(path, { value, source: layer.source, source_detail: layer.detailOf?.(path) ?? null });
  };
  if (root === "simulation") {
    note(root, merged);
    return merged;
  }
  for (const name of Object.keys(block)) {
    const path = `${root}.${name}`;
    const field = fieldRule(rule, name);
    const value = merged[name];
    if (field.kind === "append" && block[name] === null && lineage.has(path)) continue;
    if (field.kind !== "deep" || !field.free) note(path, value);
    else noteFree(path, { low: below[name], high: block[name], merged: value }, note, lineage);
  }
  for (const name of clearedBy(rule, block)) lineage.delete(`${root}.${name}`);
  return merged;
}

interface Values {
  readonly low: unknown;
  readonly high: unknown;
  readonly merged: unknown;
}

/** A field that may be a mapping with any keys: entries of its keys where it is one, and one of its own where it is not, or is empty. */
function noteFree(path: string, { low, high, merged }: Values, note: (path: string, value: unknown) => void, lineage: LineageDraft): void {
  const wasMapping = isMapping(low);
  if (isMapping(high) && isMapping(merged)) {
    const keys = Object.keys(high);
    if (keys.length > 0) lineage.delete(path);
    else if (!wasMapping) note(path, merged);
    for (const key of keys) note(`${path}.${key}`, merged[key]);
    return;
  }
  if (wasMapping) for (const key of Object.keys(low)) lineage.delete(`${path}.${key}`);
  note(path, merged);
}
