import { PythonError } from "../../python/python-error.ts";
import { contains, order } from "../json/compare.ts";
import { dumpJson } from "../json/dump.ts";
import { add, parseNumber } from "../json/number.ts";
import { typeName } from "../json/repr.ts";
import { emptyObject, isNumber, isObject, type JsonValue } from "../json/value.ts";
import {
  type Argument,
  type ArgumentType,
  asList,
  asNumber,
  asObject,
  asReference,
  asText,
  asValue,
  checkArgument,
  jmesType,
  type Reference,
  typeError,
} from "./arguments.ts";
import { JmespathError } from "./error.ts";

interface JmespathFunction {
  /** Allowed types of each parameter; an empty list means any. */
  readonly parameters: readonly (readonly ArgumentType[])[];
  /** More arguments may follow, unchecked as in the original. */
  readonly variadic?: true;
  readonly call: (args: readonly Argument[]) => JsonValue;
}

const number: readonly ArgumentType[] = ["number"];
const text: readonly ArgumentType[] = ["string"];
const list: readonly ArgumentType[] = ["array"];
const object: readonly ArgumentType[] = ["object"];
const numbers: readonly ArgumentType[] = ["array-number"];
const reference: readonly ArgumentType[] = ["expref"];
const any: readonly ArgumentType[] = [];
const textOrList: readonly ArgumentType[] = ["array", "string"];

const functions = new Map<string, JmespathFunction>([
  ["abs", { parameters: [number], call: ([a]) => absolute(asNumber(a)) }],
  ["avg", { parameters: [numbers], call: ([a]) => (asList(a).length === 0 ? null : Number(sum(asList(a))) / asList(a).length) }],
  ["ceil", { parameters: [number], call: ([a]) => rounded(asNumber(a), Math.ceil) }],
  ["contains", { parameters: [textOrList, any], call: ([a, b]) => contains(asValue(a), asValue(b)) }],
  ["ends_with", { parameters: [text, text], call: ([a, b]) => asText(a).endsWith(asText(b)) }],
  ["floor", { parameters: [number], call: ([a]) => rounded(asNumber(a), Math.floor) }],
  ["join", { parameters: [text, ["array-string"]], call: ([a, b]) => asList(b).join(asText(a)) }],
  ["keys", { parameters: [object], call: ([a]) => Object.keys(asObject(a)) }],
  ["length", { parameters: [["string", "array", "object"]], call: ([a]) => length(asValue(a)) }],
  ["map", { parameters: [reference, list], call: ([a, b]) => asList(b).map(asReference(a).evaluate) }],
  ["max", { parameters: [["array-number", "array-string"]], call: ([a]) => best(asList(a), ">", (item) => item) }],
  ["max_by", { parameters: [list, reference], call: ([a, b]) => best(asList(a), ">", keyOf("max_by", asReference(b))) }],
  ["merge", { parameters: [object], variadic: true, call: merge }],
  ["min", { parameters: [["array-number", "array-string"]], call: ([a]) => best(asList(a), "<", (item) => item) }],
  ["min_by", { parameters: [list, reference], call: ([a, b]) => best(asList(a), "<", keyOf("min_by", asReference(b))) }],
  ["not_null", { parameters: [any], variadic: true, call: (args) => args.map(asValue).find((value) => value !== null) ?? null }],
  ["reverse", { parameters: [textOrList], call: ([a]) => (typeof a === "string" ? [...a].reverse().join("") : asList(a).toReversed()) }],
  ["sort", { parameters: [["array-string", "array-number"]], call: ([a]) => sorted(asList(a), (item) => item) }],
  ["sort_by", { parameters: [list, reference], call: ([a, b]) => sortBy(asList(a), asReference(b)) }],
  ["starts_with", { parameters: [text, text], call: ([a, b]) => asText(a).startsWith(asText(b)) }],
  ["sum", { parameters: [numbers], call: ([a]) => sum(asList(a)) }],
  ["to_array", { parameters: [any], call: ([a]) => (Array.isArray(a) ? a : [asValue(a)]) }],
  ["to_number", { parameters: [any], call: ([a]) => toNumber(asValue(a)) }],
  ["to_string", { parameters: [any], call: ([a]) => (typeof a === "string" ? a : dumpJson(asValue(a))) }],
  ["type", { parameters: [any], call: ([a]) => jmesType(asValue(a)) }],
  ["values", { parameters: [object], call: ([a]) => Object.values(asObject(a)) }],
]);

/** @throws JmespathError for an unknown function, a wrong number or type of arguments, with the words of Python's library */
export function callFunction(name: string, args: readonly Argument[]): JsonValue {
  const found = functions.get(name);
  if (found === undefined) throw new JmespathError(`Unknown function: ${name}()`);
  const wanted = found.parameters.length;
  if (found.variadic ? args.length < wanted : args.length !== wanted) {
    const atLeast = found.variadic ? "at least " : "";
    const plural = wanted === 1 ? "" : "s";
    throw new JmespathError(`Expected ${atLeast}${wanted} argument${plural} for function ${name}(), received ${args.length}`);
  }
  for (const [index, allowed] of found.parameters.entries()) checkArgument(name, args[index] ?? null, allowed);
  return found.call(args);
}

function absolute(value: number | bigint): JsonValue {
  return value < 0 ? -value : value;
}

function rounded(value: number | bigint, round: (value: number) => number): JsonValue {
  if (typeof value === "bigint") return value;
  if (Number.isNaN(value)) throw new PythonError("ValueError", "cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new PythonError("OverflowError", "cannot convert float infinity to integer");
  return round(value) + 0;
}

function sum(items: readonly JsonValue[]): number | bigint {
  return items.reduce<number | bigint>((total, item) => add(total, asNumber(item)), 0);
}

/** In code points, items or keys. */
function length(value: JsonValue): number {
  if (typeof value === "string") return [...value].length;
  return Array.isArray(value) ? value.length : Object.keys(asObject(value)).length;
}

/** The first item whose key no other one beats. */
function best(items: readonly JsonValue[], operator: ">" | "<", key: (item: JsonValue) => JsonValue): JsonValue {
  let found: JsonValue = null;
  let foundKey: JsonValue = null;
  for (const [index, item] of items.entries()) {
    const itemKey = key(item);
    if (index > 0 && !order(operator, itemKey, foundKey)) continue;
    found = item;
    foundKey = itemKey;
  }
  return found;
}

function keyOf(name: string, by: Reference): (item: JsonValue) => JsonValue {
  return (item) => {
    const key = by.evaluate(item);
    if (!isNumber(key) && typeof key !== "string") throw typeError(name, key, ["number", "string"], jmesType(key));
    return key;
  };
}

function sorted(items: readonly JsonValue[], key: (item: JsonValue) => JsonValue): JsonValue[] {
  const keyed = items.map((item) => ({ item, key: key(item) }));
  keyed.sort((a, b) => (order("<", a.key, b.key) ? -1 : order("<", b.key, a.key) ? 1 : 0));
  return keyed.map(({ item }) => item);
}

function sortBy(items: readonly JsonValue[], by: Reference): JsonValue[] {
  const first = items[0];
  if (first === undefined) return [];
  const wanted = jmesType(by.evaluate(first));
  if (wanted !== "number" && wanted !== "string") throw typeError("sort_by", first, ["string", "number"], wanted);
  return sorted(items, (item) => {
    const key = by.evaluate(item);
    if (jmesType(key) !== wanted) throw typeError("sort_by", key, [wanted], jmesType(key));
    return key;
  });
}

function merge(args: readonly Argument[]): JsonValue {
  const merged = emptyObject();
  for (const arg of args.map(asValue)) {
    if (!isObject(arg)) throw new PythonError("TypeError", `'${typeName(arg)}' object is not iterable`);
    Object.assign(merged, arg);
  }
  return merged;
}

function toNumber(value: JsonValue): JsonValue {
  if (isNumber(value)) return value;
  return typeof value === "string" ? (parseNumber(value) ?? null) : null;
}
