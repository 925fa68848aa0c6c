import { errorMessage } from "../errors.ts";
import { type AnyObject, isObject } from "./any-object.ts";

/** JSON as text and back: what Python writes is readable here, what we write is readable everywhere. */

const numberToken = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs;

/**
 * Parses JSON, also with the tokens `NaN`, `Infinity` and `-Infinity` of Python writers, which become null with a warning.
 * @throws SyntaxError
 */
export function parseJsonText(text: string): { readonly value: unknown; readonly warning?: string } {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    const value: unknown = JSON.parse(source);
    return { value };
  } catch (error) {
    let replaced = 0;
    const cleaned = source.replace(numberToken, (token) => {
      if (token.startsWith('"')) return token;
      replaced += 1;
      return "null";
    });
    if (replaced === 0) throw error;
    const value: unknown = JSON.parse(cleaned);
    return { value, warning: `${replaced} number${replaced === 1 ? "" : "s"} written as NaN or Infinity read as null` };
  }
}

export type JsonObjectText =
  | { readonly kind: "object"; readonly value: AnyObject; readonly warning?: string | undefined }
  /** `reason` is one line. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The object that the text of a file is, as `parseJsonText` reads it. Never throws: what is wrong with the text is a value. */
export function parseJsonObject(text: string): JsonObjectText {
  // Spares a copy of a large one.
  if (text.length < 100 && text.trim() === "") return { kind: "unreadable", reason: "the file is empty" };
  let parsed: ReturnType<typeof parseJsonText>;
  try {
    parsed = parseJsonText(text);
  } catch (error) {
    return { kind: "unreadable", reason: `not valid JSON: ${syntaxMessage(error)}` };
  }
  const { value, warning } = parsed;
  return isObject(value)
    ? { kind: "object", value, warning }
    : { kind: "unreadable", reason: `expected an object, found ${nameOf(value)}` };
}

/** What a parser of JSON says is wrong, on one line, though it quotes what stands there. */
export function syntaxMessage(error: unknown): string {
  return errorMessage(error).replace(/\s*\n\s*/g, " ");
}

function nameOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** `JSON.stringify` writes half a surrogate pair as an escape of this form, and nothing else. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** JSON without half surrogate pairs, at which other readers fail. NaN and infinities become null. */
export function toJsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? "null";
  if (!text.includes("\\ud") || !loneSurrogate.test(text)) return text;
  return JSON.stringify(value, (_key, part: unknown) => wellFormed(part), indent);
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return entries.every(([key]) => key.isWellFormed())
    ? value
    : Object.fromEntries(entries.map(([key, part]) => [key.toWellFormed(), part]));
}
