import type { LineageEntry } from "../resolved-task.ts";
import type { Layer } from "./layer.ts";
import type { LayerIssues } from "./layer-issues.ts";

/** Replicates have two digits in the run directory (formats.md 3.3). */
const maxRepeats = 99;

/** The highest layer's `repeats`, 1 where none sets it. Its entry names no flag, as in 0.8.2. */
export function resolveRepeats(layers: readonly Layer[], issues: LayerIssues): { readonly count: number; readonly entry: LineageEntry } {
  const layer = layers.findLast(({ repeats }) => repeats !== undefined);
  const count = layer?.repeats ?? 1;
  if (layer !== undefined && count > maxRepeats) issues.addTooManyRepeats(layer, count, maxRepeats);
  return { count, entry: { value: count, source: layer?.source ?? "default", source_detail: null } };
}
