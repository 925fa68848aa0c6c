import { isMapping } from "../schema/field-types.ts";

type Visit = (text: string, path: readonly PropertyKey[]) => Promise<string>;

/**
 * A value with the texts at `steps` (`[]`: every entry of a list, `{}`: every value of a mapping) replaced by what `visit`
 * gives for them, one after the other. What is not there or of another type is left alone; unchanged parts are shared.
 */
export async function mapLeaves(value: unknown, steps: readonly string[], path: readonly PropertyKey[], visit: Visit): Promise<unknown> {
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === "string" ? await visit(value, path) : value;
  if (step === "[]") {
    if (!Array.isArray(value)) return value;
    const entries: readonly unknown[] = value;
    const mapped: unknown[] = [];
    for (const [index, entry] of entries.entries()) mapped.push(await mapLeaves(entry, rest, [...path, index], visit));
    return mapped.every((entry, index) => Object.is(entry, entries[index])) ? value : mapped;
  }
  if (!isMapping(value)) return value;
  const keys = step === "{}" ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
  const changed: [string, unknown][] = [];
  for (const key of keys) {
    const mapped = await mapLeaves(value[key], rest, [...path, key], visit);
    if (!Object.is(mapped, value[key])) changed.push([key, mapped]);
  }
  return changed.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
}
