export type AnyObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object: no list, not null. */
export function isObject(value: unknown): value is AnyObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
