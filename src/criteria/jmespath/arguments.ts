import { InternalError } from "../../errors.ts";
import { repr, typeName } from "../json/repr.ts";
import { isNumber, isObject, type JsonValue } from "../json/value.ts";
import { JmespathError } from "./error.ts";

/** `&expression` as an argument: applied to each item by the function. */
export class Reference {
  readonly evaluate: (item: JsonValue) => JsonValue;
  constructor(evaluate: (item: JsonValue) => JsonValue) {
    this.evaluate = evaluate;
  }
}

export type Argument = JsonValue | Reference;

export type ArgumentType = "number" | "string" | "array" | "object" | "expref" | "array-number" | "array-string";

/** The name of a value's type in JMESPath. */
export function jmesType(value: Argument): string {
  if (value instanceof Reference) return "expref";
  if (value === null) return "null";
  if (isNumber(value)) return "number";
  return Array.isArray(value) ? "array" : typeof value;
}

export function typeError(name: string, value: Argument, allowed: readonly string[], received: string): JmespathError {
  const text = value instanceof Reference ? "expression" : typeof value === "string" ? value : repr(value);
  const list = allowed.map((type) => `'${type}'`).join(", ");
  return new JmespathError(`In function ${name}(), invalid type for value: ${text}, expected one of: [${list}], received: "${received}"`);
}

/**
 * Checks one argument; no types means any. An empty list is a list of anything.
 * @throws JmespathError
 */
export function checkArgument(name: string, value: Argument, allowed: readonly ArgumentType[]): void {
  if (allowed.length === 0) return;
  const itemTypes = allowed.filter((type) => type.startsWith("array-")).map((type) => type.slice("array-".length));
  const type = jmesType(value);
  const isAllowed = allowed.some((name) => name === type) || (type === "array" && itemTypes.length > 0);
  if (!isAllowed) throw typeError(name, value, allowed, type);
  if (itemTypes.length === 0 || !Array.isArray(value) || value.length === 0) return;
  const first = jmesType(value[0] ?? null);
  if (itemTypes.length > 1 && !itemTypes.includes(first)) throw typeError(name, value[0] ?? null, allowed, typeName(value[0] ?? null));
  const wanted = itemTypes.length > 1 ? first : itemTypes[0];
  for (const item of value) {
    if (jmesType(item) !== wanted) throw typeError(name, item, allowed, typeName(item));
  }
}

const broken = (what: string) => new InternalError(`a JMESPath function got an argument that is no ${what} past its check`);

export function asText(value: Argument | undefined): string {
  if (typeof value !== "string") throw broken("text");
  return value;
}

export function asNumber(value: Argument | undefined): number | bigint {
  if (value === undefined || value instanceof Reference || !isNumber(value)) throw broken("number");
  return value;
}

export function asList(value: Argument | undefined): JsonValue[] {
  if (!Array.isArray(value)) throw broken("list");
  return value;
}

export function asObject(value: Argument | undefined): { [key: string]: JsonValue } {
  if (value === undefined || value instanceof Reference || !isObject(value)) throw broken("object");
  return value;
}

export function asReference(value: Argument | undefined): Reference {
  if (!(value instanceof Reference)) throw broken("reference");
  return value;
}

export function asValue(value: Argument | undefined): JsonValue {
  if (value instanceof Reference) throw new JmespathError("an expression reference ('&') is no value");
  return value ?? null;
}
