import { PythonError } from "../python/python-error.ts";
import { compilePythonRegex, PythonRegexError, searchPythonRegex } from "../python/regex.ts";
import { JmespathError } from "./jmespath/error.ts";
import { searchJmespath } from "./jmespath/evaluate.ts";
import { contains, isEqual, order, unhashable } from "./json/compare.ts";
import { shortRepr, typeName } from "./json/repr.ts";
import { isNumber, isObject, type JsonValue, toJsonValue } from "./json/value.ts";
import type { JsonAssertion } from "./json-check.ts";
import { withTimeLimit } from "./time-limit.ts";

const expressionLimitMs = 2_000;

/**
 * What is wrong with a document by one assertion, in the words of formats.md 2.2, or undefined. An assertion that can not be evaluated
 * (bad expression, types that do not compare) counts as failed; a text that makes its pattern run away fails the whole check.
 * @throws RegexTimeoutError, CheckTimeoutError, or the signal's reason
 */
export async function checkAssertion(
  { expression, operator, expected: written }: JsonAssertion,
  document: JsonValue,
  signal: AbortSignal,
): Promise<string | undefined> {
  const expected = toJsonValue(written);
  try {
    const actual = withTimeLimit(`expression '${expression}'`, expressionLimitMs, () => searchJmespath(expression, document));
    if (await holds(operator, actual, expected, signal)) return undefined;
    return `'${expression}' ${operator}: expected ${shortRepr(expected)}, got ${shortRepr(actual)}`;
  } catch (error) {
    if (!isFailedAssertion(error)) throw error;
    return `'${expression}': error — ${error.message}`;
  }
}

/** A stack overflow comes from an expression or document nested beyond reason. */
function isFailedAssertion(error: unknown): error is Error {
  return [JmespathError, PythonError, PythonRegexError, RangeError].some((kind) => error instanceof kind);
}

async function holds(operator: JsonAssertion["operator"], actual: JsonValue, expected: JsonValue, signal: AbortSignal): Promise<boolean> {
  switch (operator) {
    case "equals":
      return isEqual(actual, expected);
    case "not_equals":
      return !isEqual(actual, expected);
    case "contains":
      return contains(actual, expected);
    case "gt":
      return order(">", actual, expected);
    case "gte":
      return order(">=", actual, expected);
    case "lt":
      return order("<", actual, expected);
    case "lte":
      return order("<=", actual, expected);
    case "type":
      return hasType(actual, expected);
    case "regex":
      return matches(actual, expected, signal);
    case "exists":
      return actual !== null;
  }
}

function hasType(actual: JsonValue, expected: JsonValue): boolean {
  if (typeof expected === "object" && expected !== null) throw unhashable(expected);
  switch (expected) {
    case "string":
    case "boolean":
      return typeof actual === expected;
    case "number":
      return isNumber(actual);
    case "array":
      return Array.isArray(actual);
    case "object":
      return isObject(actual);
    case "null":
      return actual === null;
    default:
      return false;
  }
}

async function matches(actual: JsonValue, expected: JsonValue, signal: AbortSignal): Promise<boolean> {
  if (typeof expected !== "string") throw new PythonError("TypeError", "first argument must be string or compiled pattern");
  const regex = compilePythonRegex(expected, 0);
  if (typeof actual !== "string") {
    throw new PythonError("TypeError", `expected string or bytes-like object, got '${typeName(actual)}'`);
  }
  return (await searchPythonRegex(regex, actual, { signal })) !== undefined;
}
