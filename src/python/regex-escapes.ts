import type { Node } from "./regex-ast.ts";
import type { Category, SetItem } from "./regex-classes.ts";
import { lengthOf, type PatternTokens } from "./regex-tokens.ts";
import { findCharacterByName } from "./unicode-lookup.ts";

/** Escapes of one character that mean the same in patterns and in replacements. */
export const controls: ReadonlyMap<string, number> = new Map([
  ["\\a", 7],
  ["\\b", 8],
  ["\\f", 12],
  ["\\n", 10],
  ["\\r", 13],
  ["\\t", 9],
  ["\\v", 11],
  ["\\\\", 92],
]);

const categories: ReadonlyMap<string, Category> = new Map(
  (["d", "D", "s", "S", "w", "W"] as const).map((category) => [`\\${category}`, category]),
);

const anchors: ReadonlyMap<string, Node> = new Map<string, Node>([
  ["\\A", { kind: "anchor", anchor: "string start" }],
  ["\\Z", { kind: "anchor", anchor: "string end" }],
  ["\\b", { kind: "anchor", anchor: "boundary" }],
  ["\\B", { kind: "anchor", anchor: "no boundary" }],
]);

const octal = /^[0-7]$/;
const hexadecimal = /^[0-9a-fA-F]$/;

/** What an escape outside of a set may need to know about the groups so far. */
export interface GroupReferences {
  /** @throws PythonRegexError for a group that is missing, open, or not to be used here. */
  refer(group: number, length: number): Node;
}

/** An escape inside `[…]`; its token was taken already. */
export function parseSetEscape(tokens: PatternTokens, escaped: string): SetItem {
  const category = categories.get(escaped);
  if (category !== undefined) return { kind: "category", category };
  const code = controls.get(escaped) ?? coded(tokens, escaped) ?? setOctal(tokens, escaped) ?? plain(tokens, escaped);
  return { kind: "range", first: code, last: code, single: true };
}

/** An escape outside of a set; its token was taken already. */
export function parseEscape(tokens: PatternTokens, escaped: string, groups: GroupReferences): Node {
  const category = categories.get(escaped);
  if (category !== undefined) return { kind: "set", negated: false, items: [{ kind: "category", category }] };
  const anchor = anchors.get(escaped);
  if (anchor !== undefined) return anchor;
  const literal = (code: number): Node => ({ kind: "literal", code, negated: false });
  const code = controls.get(escaped) ?? coded(tokens, escaped);
  if (code !== undefined) return literal(code);
  if (escaped === "\\0") return literal(Number.parseInt(`0${tokens.takeWhile(2, octal)}`, 8));
  if (/^\\[1-9]$/.test(escaped)) return octalOrReference(tokens, escaped, groups);
  return literal(plain(tokens, escaped));
}

/** `\12` is group 12, `\012` and `\123` are octal. */
function octalOrReference(tokens: PatternTokens, escaped: string, groups: GroupReferences): Node {
  let text = escaped + tokens.takeWhile(1, /^[0-9]$/);
  if (/^\\[0-7]{2}$/.test(text)) {
    const third = tokens.takeWhile(1, octal);
    text += third;
    if (third !== "") return { kind: "literal", code: octalValue(tokens, text), negated: false };
  }
  return groups.refer(Number(text.slice(1)), text.length);
}

function setOctal(tokens: PatternTokens, escaped: string): number | undefined {
  if (!/^\\[0-7]$/.test(escaped)) return undefined;
  return octalValue(tokens, escaped + tokens.takeWhile(2, octal));
}

function octalValue(tokens: PatternTokens, escaped: string): number {
  const code = Number.parseInt(escaped.slice(1), 8);
  if (code > 0o377) throw tokens.error(`octal escape value ${escaped} outside of range 0-0o377`, escaped.length);
  return code;
}

/** `\x`, `\u`, `\U` and `\N`. */
function coded(tokens: PatternTokens, escaped: string): number | undefined {
  if (escaped === "\\N") return named(tokens);
  const digits = escaped === "\\x" ? 2 : escaped === "\\u" ? 4 : escaped === "\\U" ? 8 : undefined;
  if (digits === undefined) return undefined;
  const text = escaped + tokens.takeWhile(digits, hexadecimal);
  if (text.length !== digits + 2) throw tokens.error(`incomplete escape ${text}`, text.length);
  const code = Number.parseInt(text.slice(2), 16);
  if (code > 0x10ffff) throw tokens.error(`bad escape ${text}`, text.length);
  return code;
}

function named(tokens: PatternTokens): number {
  if (!tokens.skip("{")) throw tokens.error("missing {");
  const name = tokens.takeUntil("}", "character name");
  const code = findCharacterByName(name);
  if (code !== undefined) return code;
  const hint = "write the character itself, or its number as \\uXXXX or \\UXXXXXXXX";
  throw tokens.unsupported(`character name '${name}' is not known here`, lengthOf(name) + 4, hint);
}

/** A backslash before anything but an ASCII letter or digit means that character. */
function plain(tokens: PatternTokens, escaped: string): number {
  if (/^\\[0-9A-Za-z]$/.test(escaped)) throw tokens.error(`bad escape ${escaped}`, escaped.length);
  return escaped.codePointAt(1) ?? 0;
}
