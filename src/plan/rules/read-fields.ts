import type { Problem } from "../issues.ts";
import { childOf } from "../schema/schema-keys.ts";

/** The fields of a task as a file has them, not yet validated: anything may stand anywhere. */
export type Fields = Readonly<Record<string, unknown>>;

export const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether a value is one of the ways in which a boolean may be written (formats.md 0.3). */
export function readsAs(value: unknown, wanted: boolean): boolean {
  if (typeof value === "boolean") return value === wanted;
  if (typeof value === "number") return value === (wanted ? 1 : 0);
  return typeof value === "string" && (wanted ? /^(?:true|t|yes|y|on|1)$/i : /^(?:false|f|no|n|off|0)$/i).test(value);
}

export function isSimulated(fields: Fields): boolean {
  return readsAs(childOf(fields.simulation, "enabled"), true);
}

export function criteriaOf(fields: Fields): readonly unknown[] {
  return Array.isArray(fields.success_criteria) ? fields.success_criteria : [];
}

export function ruleError(code: string, path: readonly PropertyKey[], message: string, hint?: string): Problem {
  return { severity: "error", code, path, message, hint };
}

export function ruleWarning(code: string, path: readonly PropertyKey[], message: string, hint?: string): Problem {
  return { severity: "warning", code, path, message, hint };
}
