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
