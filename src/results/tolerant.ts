import { z } from "zod";

// Building blocks of the readers. A field that only informs never makes a whole file unreadable: what has another
// type than expected is read as if it were absent. Fields that decide a verdict use plain zod types instead.
//
// Each is one transform: chains of `.nullable().default(null).catch(null)` say the same and take three times as long,
// which a rebuild of thousands of results feels.

export type AnyObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is AnyObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

export const textOrNull = z.transform((value: unknown) => (typeof value === "string" ? value : null));
export const numberOrNull = z.transform((value: unknown) => (finite(value) ? value : null));
/** An object whose inside is nobody's business here: taken as it is, not copied. */
export const objectOrNull = z.transform((value: unknown) => (isObject(value) ? value : null));
export const objectOrEmpty = z.transform((value: unknown): AnyObject => (isObject(value) ? value : {}));
export const numberRecord = z.transform((value: unknown): Record<string, number> => {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => finite(entry[1]))) : {};
});

export const textOr = (fallback: string) => z.transform((value: unknown) => (typeof value === "string" ? value : fallback));
export const numberOr = (fallback: number) => z.transform((value: unknown) => (finite(value) ? value : fallback));
export const flagOr = (fallback: boolean) => z.transform((value: unknown) => (typeof value === "boolean" ? value : fallback));

/** What fits the schema, else null. */
export const fittingOrNull = <Schema extends z.ZodType>(schema: Schema) =>
  z.transform((value: unknown): z.output<Schema> | null => {
    if (value === null || value === undefined) return null;
    const read = schema.safeParse(value);
    return read.success ? read.data : null;
  });

/**
 * A list; entries that do not fit are left out. `isFit` may recognise entries that need no change: they are taken as they are,
 * extra keys included, which spares a copy of the bulk of a transcript.
 */
export const listOf = <Item extends z.ZodType>(item: Item, isFit?: (entry: unknown) => entry is z.output<Item>) =>
  z.transform((value: unknown): z.output<Item>[] => {
    if (!Array.isArray(value)) return [];
    const list: z.output<Item>[] = [];
    for (const entry of value) {
      if (isFit?.(entry)) {
        list.push(entry);
        continue;
      }
      const read = item.safeParse(entry);
      if (read.success) list.push(read.data);
    }
    return list;
  });

const isText = (value: unknown): value is string => typeof value === "string";

/** Whether each of the keys holds a text or null. */
export function hasTextsOrNulls(value: AnyObject, keys: readonly string[]): boolean {
  return keys.every((key) => value[key] === null || isText(value[key]));
}

/** Whether each of the keys holds a number or null. */
export function hasNumbersOrNulls(value: AnyObject, keys: readonly string[]): boolean {
  return keys.every((key) => value[key] === null || finite(value[key]));
}

/** `turns` was the name of `iterations` before 0.8. */
export function renameTurns(value: unknown): unknown {
  return isObject(value) && "turns" in value && !("iterations" in value) ? { ...value, iterations: value.turns } : value;
}
