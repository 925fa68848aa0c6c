import { PythonFloat, pythonRepr } from "../../python/repr.ts";
import { isObject, type JsonValue } from "./value.ts";

/** Name of the Python class of a value, e.g. `NoneType`. */
export function typeName(value: JsonValue): string {
  if (value === null) return "NoneType";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "float";
  return isObject(value) ? "dict" : "list";
}

/** Python's `repr`. A whole float below 2^53 prints as the integer that it equals. */
export function repr(value: JsonValue): string {
  return pythonRepr(withFloats(value));
}

/** The start of a `repr`, for messages about values that a hostile file may have made huge. */
export function shortRepr(value: JsonValue, maxChars = 1_000): string {
  const characters = [...repr(value)];
  if (characters.length <= maxChars) return characters.join("");
  return `${characters.slice(0, maxChars).join("")}… (${characters.length - maxChars} more chars truncated)`;
}

/** Integers beyond 2^53 are bigints here, so a number of that size is a float. */
function withFloats(value: JsonValue): unknown {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? new PythonFloat(value) : value;
  if (Array.isArray(value)) return value.map(withFloats);
  if (!isObject(value)) return value;
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) object[key] = withFloats(item);
  return object;
}
