import { isMapping } from "../schema/field-types.ts";
import { type AppendRule, type DeepRule, fieldRule, type MergeRule } from "./merge-rules.ts";

export type Fields = Readonly<Record<string, unknown>>;

/**
 * One value from a lower and a higher layer; `undefined` is a layer that does not set the field. Changes neither, and
 * shares what it can with them. Associative where all layers agree on which fields are mappings: a null or a text between
 * two mappings cuts off the lower one.
 */
export function mergeValues(rule: MergeRule, low: unknown, high: unknown): unknown {
  if (high === undefined) return low;
  if (low === undefined) return high;
  switch (rule.kind) {
    case "replace":
      return high;
    case "append":
      if (high === null) return low;
      return Array.isArray(low) && Array.isArray(high) ? appendLists(rule, low, high) : high;
    case "deep":
      return isMapping(low) && isMapping(high) ? mergeFields(rule, low, high) : high;
  }
}

/** The task's list comes first by the order in which the layers are laid, not here. */
export function appendLists<Item>({ order }: AppendRule, low: readonly Item[], high: readonly Item[]): readonly Item[] {
  if (low.length === 0) return high;
  if (high.length === 0) return low;
  return order === "high-first" ? [...high, ...low] : [...low, ...high];
}

/** Two mappings key by key. A cleared rival becomes null, as its schema's default is. */
export function mergeFields(rule: DeepRule, low: Fields, high: Fields): Fields {
  // Made of pairs, since assigning to a key named `__proto__` would set no key.
  const merged = new Map(Object.entries(low));
  for (const [name, value] of Object.entries(high)) merged.set(name, mergeValues(fieldRule(rule, name), merged.get(name), value));
  for (const name of clearedBy(rule, high)) merged.set(name, null);
  return Object.fromEntries(merged);
}

/** Fields that a layer clears by setting their rival, and does not set itself. */
export function clearedBy(rule: DeepRule, layer: Fields): string[] {
  const cleared: string[] = [];
  for (const [name, rival] of rule.rivals) {
    if (!Object.hasOwn(layer, name) || layer[name] === null) continue;
    if (!Object.hasOwn(layer, rival) || layer[rival] === null) cleared.push(rival);
  }
  return cleared;
}

/** The parts of a validated value that its source really sets: coerced values in the schema's order, without defaults. */
export function pickSet(set: unknown, validated: unknown): unknown {
  if (Array.isArray(set) && Array.isArray(validated)) return validated.map((item, index) => pickSet(set[index], item));
  if (!isMapping(set) || !isMapping(validated)) return validated;
  const picked: [string, unknown][] = [];
  for (const [key, value] of Object.entries(validated)) if (Object.hasOwn(set, key)) picked.push([key, pickSet(set[key], value)]);
  return Object.fromEntries(picked);
}
