import { compareCodePoints } from "../../plan/code-points.ts";
import { unorderedSettings } from "../../plan/stamp/stamped-fields.ts";
import { isObject } from "../any-object.ts";
import { cut } from "../cut-text.ts";

/** Of the run. coder_eval writes its tags in the order of a hash, another one each time (formats.md 8.5). */
const unorderedKeys: ReadonlySet<string> = new Set(["include_tags", "exclude_tags"]);

/**
 * A value of JSON as a text that is equal for equal values only: keys sorted, and where the field is a set its items, each once.
 * @param field dotted path, or key of the run
 */
export function valueText(value: unknown, field: string): string {
  if (!Array.isArray(value) || !(unorderedKeys.has(field) || unorderedSettings.has(field))) return canonical(value);
  return `[${[...new Set(value.map(canonical))].sort(compareCodePoints).join(",")}]`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([left], [right]) => compareCodePoints(left, right));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
}

const maxChars = 200;
const charsBefore = 40;

/**
 * Two different texts, each short enough for a table, and still different: of long ones the part around the first difference.
 * @param most characters of each
 */
export function shownPair(before: string, now: string, most = maxChars): { readonly before: string; readonly now: string } {
  if (before.length <= most && now.length <= most) return { before, now };
  let first = 0;
  while (first < before.length && before[first] === now[first]) first += 1;
  const start = first < most - 1 ? 0 : first - Math.min(charsBefore, Math.floor(most / 3));
  return { before: part(before, start, most), now: part(now, start, most) };
}

function part(text: string, start: number, most: number): string {
  const end = start + most - (start > 0 ? 2 : 1);
  const isWhole = start === 0 && text.length <= most;
  if (isWhole) return text;
  const shown = text.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}

const shortDigits = 12;

/** Enough of a digest to tell it from another one. */
export function shortDigest(digest: string): string {
  const [, prefix = "", digits = digest] = /^([a-z0-9]+:)?(.*)$/s.exec(digest) ?? [];
  return (/^[0-9a-f]{20,}$/i.test(digits) ? prefix + digits.slice(0, shortDigits) : cut(digest, maxChars)).toWellFormed();
}
