import { isObject } from "../../results/tolerant.ts";

const mostDepth = 20;

/** Characters of parameters written as JSON with a space after each comma and colon: about what the model wrote. */
export function parametersLength(value: unknown, depth = 0): number {
  if (typeof value === "string") return (JSON.stringify(value) ?? "").length;
  if (Array.isArray(value)) {
    if (depth > mostDepth) return 2;
    return value.reduce((sum: number, each) => sum + parametersLength(each, depth + 1) + 2, value.length === 0 ? 2 : 0);
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (depth > mostDepth || entries.length === 0) return 2;
    return entries.reduce((sum, [key, each]) => sum + parametersLength(key) + 4 + parametersLength(each, depth + 1), 0);
  }
  return String(value).length;
}
