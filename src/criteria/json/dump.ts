import { pythonJsonDumps } from "../../python/repr.ts";
import { repr } from "./repr.ts";
import { isObject, type JsonValue } from "./value.ts";

/** Python's `json.dumps(value, separators=(",", ":"))`: ASCII only, big integers in full, `NaN` and `Infinity` as words. */
export function dumpJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(dumpJson)}]`;
  if (value !== null && isObject(value))
    return `{${Object.entries(value).map(([key, item]) => `${pythonJsonDumps(key)}:${dumpJson(item)}`)}}`;
  if (typeof value === "number" && Number.isFinite(value)) return repr(value);
  return pythonJsonDumps(value);
}
