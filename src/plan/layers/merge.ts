import type { LineageEntry, LineageSource } from "../resolved-task.ts";
import { isMapping } from "../schema/field-types.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type Root = "agent" | "run_limits" | "sandbox";

/** One source of settings, as far as it really sets something. */
export interface Layer {
  readonly source: LineageSource;
  readonly agent?: Fields | undefined;
  readonly run_limits?: Fields | undefined;
  readonly sandbox?: Fields | undefined;
  /** `source_detail` of a field's lineage entry, e.g. the flag. */
  readonly detailOf?: ((path: string) => string | null) | undefined;
}

export interface Merged {
  readonly fields: Fields;
  /** Keyed `<root>.<field>`; a free mapping of an agent has one entry per first-level key. */
  readonly lineage: ReadonlyMap<string, LineageEntry>;
}

/** Lists that grow from layer to layer; all other lists replace (formats.md 3.2). */
const appended = new Set(["sandbox.docker.env_passthrough_extra", "sandbox.template_sources"]);

/** Setting one of a pair clears the other, value and lineage. */
const exclusive: Readonly<Record<string, string>> = {
  "agent.system_prompt": "system_prompt_file",
  "agent.system_prompt_file": "system_prompt",
};

/** Lays layers on each other, the lowest first: mappings key by key, scalars and lists replace, named lists append. */
export function mergeLayers(root: Root, layers: readonly Layer[]): Merged {
  let fields: Fields = {};
  const lineage = new Map<string, LineageEntry>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer[root] ?? {})) {
      const path = `${root}.${name}`;
      if (appended.has(path) && value === null && name in fields) continue;
      const rival = exclusive[path];
      if (rival !== undefined && value !== null) {
        fields = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== rival));
        lineage.delete(`${root}.${rival}`);
      }
      const merged = mergeValue(path, fields[name], value);
      fields = { ...fields, [name]: merged };
      const entryOf = (entryPath: string, entryValue: unknown): LineageEntry => ({
        value: entryValue,
        source: layer.source,
        source_detail: layer.detailOf?.(entryPath) ?? null,
      });
      if (root !== "agent" || !isMapping(value)) lineage.set(path, entryOf(path, merged));
      else
        for (const key of Object.keys(value))
          lineage.set(`${path}.${key}`, entryOf(`${path}.${key}`, isMapping(merged) ? merged[key] : undefined));
    }
  }
  return { fields, lineage };
}

function mergeValue(path: string, low: unknown, high: unknown): unknown {
  if (appended.has(path)) {
    if (!Array.isArray(low)) return high ?? low;
    return Array.isArray(high) ? [...low, ...high] : low;
  }
  if (!isMapping(low) || !isMapping(high)) return high;
  const merged: Record<string, unknown> = { ...low };
  for (const [key, value] of Object.entries(high)) merged[key] = mergeValue(`${path}.${key}`, low[key], value);
  return merged;
}

/** The parts of a validated value that its source really sets: coerced values in the schema's order, without defaults. */
export function pickSet(set: unknown, validated: unknown): unknown {
  if (Array.isArray(set) && Array.isArray(validated)) return validated.map((item, index) => pickSet(set[index], item));
  if (!isMapping(set) || !isMapping(validated)) return validated;
  return Object.fromEntries(
    Object.entries(validated)
      .filter(([key]) => key in set)
      .map(([key, value]) => [key, pickSet(set[key], value)]),
  );
}
