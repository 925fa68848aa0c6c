import { isEqual, order } from "../json/compare.ts";
import { emptyObject, isNumber, isObject, type JsonValue } from "../json/value.ts";
import { Reference } from "./arguments.ts";
import { JmespathError } from "./error.ts";
import { callFunction } from "./functions.ts";
import { type Comparator, type Node, parseJmespath } from "./parser.ts";

/**
 * What a JMESPath expression finds in a document, as Python's `jmespath.search`: a path that leads nowhere gives null.
 * @throws JmespathError, PythonError
 */
export function searchJmespath(expression: string, document: JsonValue): JsonValue {
  return evaluate(parseJmespath(expression), document);
}

function evaluate(node: Node, value: JsonValue): JsonValue {
  switch (node.kind) {
    case "current":
      return value;
    case "literal":
      return node.value;
    case "field":
      return isObject(value) && Object.hasOwn(value, node.name) ? (value[node.name] ?? null) : null;
    case "index":
      return Array.isArray(value) ? (value.at(node.index) ?? null) : null;
    case "slice":
      return Array.isArray(value) ? slice(value, node.parts) : null;
    case "chain":
      return evaluate(node.right, evaluate(node.left, value));
    case "list projection": {
      const base = evaluate(node.left, value);
      return Array.isArray(base) ? project(base, node.right) : null;
    }
    case "object projection": {
      const base = evaluate(node.left, value);
      return isObject(base) ? project(Object.values(base), node.right) : null;
    }
    case "flatten projection": {
      const base = evaluate(node.left, value);
      return Array.isArray(base) ? project(base.flat(1), node.right) : null;
    }
    case "filter": {
      const base = evaluate(node.left, value);
      if (!Array.isArray(base)) return null;
      return project(
        base.filter((item) => !isFalse(evaluate(node.condition, item))),
        node.right,
      );
    }
    case "compare":
      return compare(node.operator, evaluate(node.left, value), evaluate(node.right, value));
    case "or": {
      const left = evaluate(node.left, value);
      return isFalse(left) ? evaluate(node.right, value) : left;
    }
    case "and": {
      const left = evaluate(node.left, value);
      return isFalse(left) ? left : evaluate(node.right, value);
    }
    case "not":
      return isFalse(evaluate(node.operand, value));
    case "list":
      return value === null ? null : node.items.map((item) => evaluate(item, value));
    case "object":
      return value === null ? null : buildObject(node.entries, value);
    case "reference":
      throw new JmespathError("an expression reference ('&') is only for arguments of functions");
    case "call":
      return callFunction(
        node.name,
        node.args.map((arg) => (arg.kind === "reference" ? new Reference((item) => evaluate(arg.body, item)) : evaluate(arg, value))),
      );
  }
}

function project(items: readonly JsonValue[], right: Node): JsonValue[] {
  return items.map((item) => evaluate(right, item)).filter((item) => item !== null);
}

function buildObject(entries: readonly (readonly [string, Node])[], value: JsonValue): JsonValue {
  const object = emptyObject();
  for (const [key, node] of entries) object[key] = evaluate(node, value);
  return object;
}

/** Null, false and everything empty; 0 is true. */
function isFalse(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Order is for numbers and texts (null for others); a number against a text is Python's TypeError. */
function compare(operator: Comparator, left: JsonValue, right: JsonValue): JsonValue {
  if (operator === "eq") return isSame(left, right);
  if (operator === "ne") return !isSame(left, right);
  if (!isOrdered(left) || !isOrdered(right)) return null;
  return order(operator === "gt" ? ">" : operator === "gte" ? ">=" : operator === "lt" ? "<" : "<=", left, right);
}

function isOrdered(value: JsonValue): boolean {
  return isNumber(value) || typeof value === "string";
}

/** Python's equality, but 1 is not `true` and 0 not `false`, on the top level only. */
function isSame(left: JsonValue, right: JsonValue): boolean {
  if ((typeof left === "boolean") !== (typeof right === "boolean")) return false;
  return isEqual(left, right);
}

/** Python's `list[start:stop:step]`. */
function slice(items: readonly JsonValue[], parts: readonly (number | undefined)[]): JsonValue[] {
  const step = parts[2] ?? 1;
  if (step === 0) throw new JmespathError("slice step cannot be zero");
  const [lowest, highest] = step > 0 ? [0, items.length] : [-1, items.length - 1];
  const bound = (part: number | undefined, missing: number) =>
    part === undefined ? missing : Math.min(Math.max(part < 0 ? part + items.length : part, lowest), highest);
  const start = bound(parts[0], step > 0 ? lowest : highest);
  const stop = bound(parts[1], step > 0 ? highest : lowest);
  const found: JsonValue[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) found.push(items[index] ?? null);
  return found;
}
