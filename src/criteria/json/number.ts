import { parsePythonFloat } from "../../python/float.ts";
import { integer } from "./value.ts";

/** Adds without rounding as long as both are integers. */
export function add(a: number | bigint, b: number | bigint): number | bigint {
  if (typeof a === "number" && typeof b === "number") {
    const total = a + b;
    if (Number.isSafeInteger(total) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return total;
  }
  if (!isExact(a) || !isExact(b)) return Number(a) + Number(b);
  return integer(String(BigInt(a) + BigInt(b)));
}

function isExact(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** A text as Python's `int()` or else `float()` reads it. */
export function parseNumber(text: string): number | bigint | undefined {
  if (/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(text)) return integer(text.trim().replaceAll("_", "").replace(/^\+/, ""));
  return parsePythonFloat(text);
}
