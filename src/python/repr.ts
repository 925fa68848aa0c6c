import { contains, setFromRuns } from "./code-set.ts";
import { formatPythonFloat } from "./format.ts";
import { once } from "./once.ts";
import { unprintableRuns } from "./unicode-tables.ts";

const unprintable = once(() => setFromRuns(unprintableRuns));

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Python's `repr` of a value read from JSON or YAML: `None`, `True`, `'text'`, `[1, 2.5]`, `{'a': 1}`.
 * A JavaScript number without fraction prints as an int, beyond 1e21 too; give `PythonFloat` where Python holds a float.
 */
export function pythonRepr(value: unknown): string {
  if (typeof value === "string") return reprText(value);
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return reprNumber(value);
  if (value instanceof PythonFloat) return formatPythonFloat(value.value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  const items = Object.entries(value).map(([key, item]) => `${reprText(key)}: ${pythonRepr(item)}`);
  return `{${items.join(", ")}}`;
}

/** Python's `str` of such a value: a string as it is, anything else as `repr`. */
export function pythonStr(value: unknown): string {
  return typeof value === "string" ? value : pythonRepr(value);
}

/** A number that Python holds as a float though it has no fraction: prints `1.0` where a bare 1 prints `1`. */
export class PythonFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

function reprNumber(value: number): string {
  return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value).toString() : formatPythonFloat(value);
}

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const short = shortEscapes.get(character);
    if (short !== undefined) out += short;
    else if (character === quote) out += `\\${character}`;
    else if (code !== 32 && (code < 32 || code === 127 || (code > 127 && contains(unprintable(), code)))) out += hexEscape(code);
    else out += character;
  }
  return out + quote;
}

function hexEscape(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/**
 * Python's `json.dumps(value)`: separators `", "` and `": "`, everything beyond ASCII as `\uXXXX`, `NaN` and `Infinity`
 * by name. Keys stay in their order.
 */
export function pythonJsonDumps(value: unknown): string {
  if (typeof value === "string") return dumpText(value);
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" || typeof value === "bigint" || value instanceof PythonFloat) return dumpNumber(pythonRepr(value));
  if (Array.isArray(value)) return `[${value.map(pythonJsonDumps).join(", ")}]`;
  const items = Object.entries(value).map(([key, item]) => `${dumpText(key)}: ${pythonJsonDumps(item)}`);
  return `{${items.join(", ")}}`;
}

const nonFinite: Readonly<Record<string, string>> = { nan: "NaN", inf: "Infinity", "-inf": "-Infinity" };

const dumpNumber = (text: string): string => nonFinite[text] ?? text;

function dumpText(text: string): string {
  // JSON.stringify knows the same short escapes.
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
