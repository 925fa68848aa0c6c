import { parseYaml } from "../yaml/yaml.ts";

export type OverrideValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly message: string; readonly hint?: string | undefined };

/** Words that YAML 1.1 reads as booleans, but that a person at a command line means as they stand (formats.md 3.4, trap 11). */
const plainWords = new Set(["y", "n", "yes", "no", "on", "off"]);

/** The value of `PATH=VALUE`: a YAML scalar or collection as task files are read, but `yes`, `no`, `on`, `off`, `y`, `n` stay text. */
export function readOverrideValue(text: string): OverrideValue {
  if (plainWords.has(text.trim().toLowerCase())) return { kind: "value", value: text };
  const parsed = parseYaml(Buffer.from(text), "");
  if (parsed.kind === "invalid") {
    const [fault] = parsed.issues;
    const hint = fault?.hint ?? (special.test(text) ? "text with characters that mean something in YAML is put in quotes" : undefined);
    return { kind: "problem", message: `the value is not valid YAML: ${fault?.message ?? "unreadable"}`, hint };
  }
  // In a file the last one wins, with a warning; here nobody would see one.
  if (parsed.warnings.length > 0) return { kind: "problem", message: "the value has a key twice" };
  return { kind: "value", value: parsed.value };
}

/** Starts with a character that cannot start plain text. */
const special = /^\s*[*&!%@`|>"']/;

/** Why a value that any field of a free mapping takes cannot be kept in a result, which is JSON. */
export function notKept(value: unknown): string | undefined {
  if (typeof value === "bigint") return `the number ${value} is too large`;
  if (typeof value === "number" && !Number.isFinite(value)) return `the number ${value} cannot be kept`;
  if (value instanceof Uint8Array) return "binary data cannot be kept";
  if (value instanceof Set) return "a set cannot be kept, expected a list";
  if (value instanceof Map) return "found a mapping with a key that is not text";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const problem = key === "__proto__" ? "'__proto__' cannot be the name of a field" : notKept(inner);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
