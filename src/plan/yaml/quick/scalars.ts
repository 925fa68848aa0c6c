import { plainKind, ScalarError, scalarValue } from "../yaml-scalars.ts";
import { type Cursor, code, folded } from "./cursor.ts";

const letters: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\", "/": "/" };

/** Text in quotes; the cursor stands on the opening one, and afterwards behind the closing one. */
export function quoted(cursor: Cursor, indent: number): string {
  const { text } = cursor;
  const quote = text.charCodeAt(cursor.at);
  const isDouble = quote === code.doubleQuote;
  const parts: string[] = [];
  cursor.at += 1;
  let from = cursor.at;
  for (;;) {
    const next = text.charCodeAt(cursor.at);
    if (next === quote) {
      parts.push(text.slice(from, cursor.at));
      cursor.at += 1;
      // Between single quotes two of them are one.
      if (isDouble || text.charCodeAt(cursor.at) !== quote) return parts.length === 1 ? (parts[0] ?? "") : parts.join("");
      from = cursor.at;
      cursor.at += 1;
    } else if (isDouble && next === code.backslash) {
      parts.push(text.slice(from, cursor.at), escaped(cursor));
      from = cursor.at;
    } else if (next === code.newline) {
      parts.push(withoutEndSpaces(text, from, cursor.at), folded(cursor.foldLines(indent)));
      from = cursor.at;
    } else if (next === code.tab || Number.isNaN(next)) cursor.decline();
    else cursor.at += 1;
  }
}

/** From the backslash to behind the escape. */
function escaped(cursor: Cursor): string {
  const { text, at } = cursor;
  const letter = text[at + 1] ?? "";
  const simple = letters[letter];
  if (simple !== undefined) {
    cursor.at = at + 2;
    return simple;
  }
  const digits = letter === "u" ? 4 : letter === "x" ? 2 : cursor.decline();
  const hex = text.slice(at + 2, at + 2 + digits);
  const unit = Number.parseInt(hex, 16);
  if (!/^[0-9A-Fa-f]+$/.test(hex) || hex.length < digits || (unit >= 0xd800 && unit <= 0xdfff)) cursor.decline();
  cursor.at = at + 2 + digits;
  return String.fromCharCode(unit);
}

function withoutEndSpaces(text: string, from: number, end: number): string {
  let to = end;
  while (to > from && text.charCodeAt(to - 1) === code.space) to -= 1;
  return text.slice(from, to);
}

/** An unquoted value in a block, with its further lines; afterwards the cursor is on the next content. */
export function plain(cursor: Cursor, indent: number): unknown {
  const { text } = cursor;
  const parts: string[] = [];
  for (;;) {
    const from = cursor.at;
    const end = plainLineEnd(cursor);
    parts.push(withoutEndSpaces(text, from, end));
    if (text.charCodeAt(end) === code.hash) break;
    const empty = emptyLinesBefore(cursor, end, indent);
    if (empty === undefined) break;
    parts.push(folded(empty));
  }
  cursor.endLine();
  // A comment, or a line that looks like another value, has ended the text: what is further in is then an error.
  if (cursor.column > indent) cursor.decline();
  return plainValue(cursor, parts.join(""));
}

/** Where the text on this line ends: at its comment or its end. The cursor goes there. */
function plainLineEnd(cursor: Cursor): number {
  const { text } = cursor;
  let at = cursor.at;
  for (; at < text.length; at += 1) {
    const next = text.charCodeAt(at);
    if (next === code.newline) break;
    if (next === code.colon) {
      const after = text.charCodeAt(at + 1);
      if (after === code.space || after === code.newline || Number.isNaN(after)) cursor.decline();
    } else if (next === code.hash && text.charCodeAt(at - 1) === code.space) break;
    else if (next === code.tab) cursor.decline();
  }
  cursor.at = at;
  return at;
}

/** Moves to the next line of the text and gives the empty lines before it; `undefined`, unmoved, when there is none. */
function emptyLinesBefore(cursor: Cursor, end: number, indent: number): number | undefined {
  const { text } = cursor;
  let empty = -1;
  let start = end;
  let at = end;
  while (text.charCodeAt(at) === code.newline) {
    start = at + 1;
    at = start;
    empty += 1;
    while (text.charCodeAt(at) === code.space) at += 1;
  }
  if (at >= text.length || at - start <= indent || text.charCodeAt(at) === code.hash) return undefined;
  if (!startsFurtherLine(text, at)) cursor.decline();
  cursor.at = at;
  cursor.lineStart = start;
  return empty;
}

function startsFurtherLine(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first === code.minus || first === code.question) return text.charCodeAt(at + 1) > code.space;
  return first !== code.colon && first !== code.tab;
}

/** What an unquoted text means. */
export function plainValue(cursor: Cursor, text: string): unknown {
  const kind = plainKind(text);
  if (kind === "str") return text;
  if (kind === "merge" || kind === "value") cursor.decline();
  try {
    return scalarValue(kind, text);
  } catch (error) {
    if (error instanceof ScalarError) cursor.decline();
    throw error;
  }
}

/** Whether an unquoted value may begin so; rarer beginnings are for the whole parser. */
export function startsPlain(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  if (first === code.minus) return text.charCodeAt(at + 1) > code.space;
  // Letters, digits and what has no meaning in YAML.
  return /[\w$().+/\\^~;<=\u00a1-\ud7ff\ue000-\ufefe]/.test(text[at] ?? "") || (first >= 0xd800 && first <= 0xdfff);
}
