import { PythonError } from "../../python/python-error.ts";
import { typeName } from "./repr.ts";
import { compareText, isObject, type JsonValue } from "./value.ts";

export type OrderOperator = ">" | ">=" | "<" | "<=";

/** Python's `==`, deep: `1 == 1.0 == True`. */
export function isEqual(left: JsonValue, right: JsonValue): boolean {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right) === 0;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index] ?? null));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key] ?? null, right[key] ?? null))
    );
  }
  return left === right;
}

/**
 * Python's `<` and its siblings: numbers (booleans among them), texts by code point, lists item by item.
 * @throws PythonError `TypeError` for other pairs
 */
export function order(operator: OrderOperator, left: JsonValue, right: JsonValue): boolean {
  if (isNumeric(left) && isNumeric(right)) return holds(operator, compareNumbers(left, right));
  if (typeof left === "string" && typeof right === "string") return holds(operator, compareText(left, right));
  if (Array.isArray(left) && Array.isArray(right)) {
    const differs = left.findIndex((item, index) => index >= right.length || !isEqual(item, right[index] ?? null));
    if (differs === -1 || differs >= right.length) return holds(operator, left.length - right.length);
    return order(operator, left[differs] ?? null, right[differs] ?? null);
  }
  throw new PythonError("TypeError", `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

type Numeric = number | bigint | boolean;

function isNumeric(value: JsonValue): value is Numeric {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

/** NaN when either is NaN: then nothing holds. JavaScript compares a bigint with a number exactly. */
function compareNumbers(left: Numeric, right: Numeric): number {
  const a = typeof left === "boolean" ? Number(left) : left;
  const b = typeof right === "boolean" ? Number(right) : right;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

function holds(operator: OrderOperator, difference: number): boolean {
  switch (operator) {
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
  }
}

/**
 * Python's `expected in actual`: part of a text, item of a list, key of a dict.
 * @throws PythonError `TypeError` where Python raises one
 */
export function contains(actual: JsonValue, expected: JsonValue): boolean {
  if (typeof actual === "string") {
    if (typeof expected !== "string") {
      throw new PythonError("TypeError", `'in <string>' requires string as left operand, not ${typeName(expected)}`);
    }
    return actual.includes(expected);
  }
  if (Array.isArray(actual)) return actual.some((item) => isEqual(item, expected));
  if (isObject(actual)) {
    if (typeof expected === "object" && expected !== null) throw unhashable(expected);
    return typeof expected === "string" && Object.hasOwn(actual, expected);
  }
  throw new PythonError("TypeError", `argument of type '${typeName(actual)}' is not iterable`);
}

/** The error of a list or dict that Python is to use as a key. */
export function unhashable(value: JsonValue): PythonError {
  return new PythonError("TypeError", `unhashable type: '${typeName(value)}'`);
}
