/**
 * JSON as Python sees it: integers beyond 2^53 are bigints, so that none is rounded; `NaN` and infinities are numbers. A whole float
 * (`1.0`) is the number 1. Keys come from hostile files: ask with `Object.hasOwn` before reading one.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

export function emptyObject(): JsonObject {
  return Object.create(null);
}

/** A bigint only where a number could not hold the integer; `-0` is 0. */
export function integer(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value + 0 : BigInt(text);
}

/** Any value of a task file as JSON; what JSON does not have (dates, undefined, …) becomes text or null. */
export function toJsonValue(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== "object" || value instanceof Date) return String(value);
  const object = emptyObject();
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  for (const [key, item] of entries) object[String(key)] = toJsonValue(item);
  return object;
}

/** Orders two texts by code point, as Python does; JavaScript's own order is by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return surrogatesLast(left) - surrogatesLast(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above every other unit. */
function surrogatesLast(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
