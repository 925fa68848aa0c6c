import { YamlTimestamp } from "./yaml/yaml-scalars.ts";

const maxShown = 60;

/** Text in single quotes on one line: control, bidi and invisible characters as escapes, cut at 60 characters. */
export function quote(text: string): string {
  const cut = [...text.slice(0, maxShown * 2)];
  const shown = cut.length > maxShown || text.length > maxShown * 2 ? `${cut.slice(0, maxShown).join("")}…` : text;
  return `'${escapeInvisible(shown)}'`;
}

/** Makes every character that a terminal or a log obeys, or that nobody can see, visible as an escape. */
export function escapeInvisible(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    if (character === "\r") return "\\r";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** What stands in a file, as the person who wrote it would call it. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "empty text" : `text ${quote(value)}`;
  if (typeof value === "number" || typeof value === "bigint") return `the number ${shortNumber(String(value))}`;
  if (typeof value === "boolean") return `the boolean ${value}`;
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (value instanceof YamlTimestamp) return `the ${value.kind === "date" ? "date" : "time"} ${value.text}`;
  if (value instanceof Uint8Array) return "binary data";
  if (value instanceof Set) return "a set";
  if (value instanceof Map) {
    const odd = [...value.keys()].find((key) => typeof key !== "string");
    return `a mapping whose key ${describeKey(odd)} is not text`;
  }
  return "a mapping";
}

function shortNumber(digits: string): string {
  return digits.length <= maxShown ? digits : `${digits.slice(0, maxShown)}… of ${digits.length} digits`;
}

function describeKey(key: unknown): string {
  return key instanceof YamlTimestamp ? key.text : shortNumber(String(key));
}
