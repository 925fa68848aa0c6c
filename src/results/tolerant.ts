import { z } from "zod";

// Building blocks of the readers. A field that only informs never makes a whole file unreadable: what has another
// type than expected is read as if it were absent. Fields that decide a verdict use plain zod types instead.

export type AnyObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is AnyObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object whose inside is nobody's business here: taken as it is, not copied. */
const anyObject = z.custom<AnyObject>(isObject);

export const textOrNull = z.string().nullable().default(null).catch(null);
export const numberOrNull = z.number().nullable().default(null).catch(null);
export const objectOrNull = anyObject.nullable().default(null).catch(null);
export const objectOrEmpty = anyObject.default({}).catch({});

export const textOr = (fallback: string) => z.string().default(fallback).catch(fallback);
export const numberOr = (fallback: number) => z.number().default(fallback).catch(fallback);
export const flagOr = (fallback: boolean) => z.boolean().default(fallback).catch(fallback);

/** A list whose unfit entries make it empty rather than the file unreadable. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .default(() => [])
    .catch(() => []);
