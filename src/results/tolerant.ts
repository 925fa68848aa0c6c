import { z } from "zod";
import { type AnyObject, isObject } from "./any-object.ts";
import { isAsIs, unchangedIf } from "./as-is.ts";

export { type AnyObject, isObject };

// Building blocks of the readers. A field that only informs never makes a whole file unreadable: what has another
// type than expected is read as if it were absent. Fields that decide a verdict use plain zod types instead.
//
// Each is one transform: chains of `.nullable().default(null).catch(null)` say the same and take three times as long,
// which a rebuild of thousands of results feels.

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isText = (value: unknown): value is string => typeof value === "string";

export const textOrNull = unchangedIf(
  z.transform((value: unknown) => (isText(value) ? value : null)),
  (value) => value === null || isText(value),
);
export const numberOrNull = unchangedIf(
  z.transform((value: unknown) => (finite(value) ? value : null)),
  (value) => value === null || finite(value),
);
/** An object whose inside is nobody's business here: taken as it is, not copied. */
export const objectOrNull = unchangedIf(
  z.transform((value: unknown) => (isObject(value) ? value : null)),
  (value) => value === null || isObject(value),
);
export const objectOrEmpty = unchangedIf(
  z.transform((value: unknown): AnyObject => (isObject(value) ? value : {})),
  isObject,
);
export const numberRecord = unchangedIf(
  z.transform((value: unknown): Record<string, number> => {
    return isObject(value) ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, number] => finite(entry[1]))) : {};
  }),
  (value) => isObject(value) && Object.values(value).every(finite),
);

const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

export const textOr = (fallback: string) =>
  unchangedIf(
    z.transform((value: unknown) => (isText(value) ? value : fallback)),
    isText,
  );
export const numberOr = (fallback: number) =>
  unchangedIf(
    z.transform((value: unknown) => (finite(value) ? value : fallback)),
    finite,
  );
export const flagOr = (fallback: boolean) =>
  unchangedIf(
    z.transform((value: unknown) => (isFlag(value) ? value : fallback)),
    isFlag,
  );

/** What fits the schema, else null. */
export const fittingOrNull = <Schema extends z.ZodType>(schema: Schema) =>
  unchangedIf(
    z.transform((value: unknown): z.output<Schema> | null => {
      if (value === null || value === undefined) return null;
      if (isAsIs(schema, value)) return value;
      const read = schema.safeParse(value);
      return read.success ? read.data : null;
    }),
    (value) => value === null || isAsIs(schema, value),
  );

/** A list; entries that do not fit are left out. Those that need no change are not copied: they are the bulk of a transcript. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  unchangedIf(
    z.transform((value: unknown): z.output<Item>[] => {
      if (!Array.isArray(value)) return [];
      const list: z.output<Item>[] = [];
      for (const entry of value) {
        if (isAsIs(item, entry)) {
          list.push(entry);
          continue;
        }
        const read = item.safeParse(entry);
        if (read.success) list.push(read.data);
      }
      return list;
    }),
    (value) => Array.isArray(value) && value.every((entry) => isAsIs(item, entry)),
  );

/** `turns` was the name of `iterations` before 0.8. */
export function renameTurns(value: unknown): unknown {
  return isObject(value) && "turns" in value && !("iterations" in value) ? { ...value, iterations: value.turns } : value;
}
