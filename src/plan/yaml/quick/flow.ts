import { type Cursor, code } from "./cursor.ts";
import { plainValue, quoted, startsPlain } from "./scalars.ts";

/** A list or mapping in brackets; the cursor stands on the opening one, and afterwards behind the closing one. */
export function flow(cursor: Cursor, indent: number): unknown {
  cursor.enter();
  const isList = cursor.text.charCodeAt(cursor.at) === code.openBracket;
  cursor.at += 1;
  const value = isList ? list(cursor, indent) : mapping(cursor, indent);
  cursor.leave();
  return value;
}

function list(cursor: Cursor, indent: number): unknown[] {
  const items: unknown[] = [];
  skipWhite(cursor, indent);
  while (cursor.text.charCodeAt(cursor.at) !== code.closeBracket) {
    cursor.places?.enter(items.length);
    items.push(item(cursor, indent));
    cursor.places?.leave();
    separate(cursor, indent, code.closeBracket);
  }
  cursor.at += 1;
  return items;
}

function mapping(cursor: Cursor, indent: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  skipWhite(cursor, indent);
  while (cursor.text.charCodeAt(cursor.at) !== code.closeBrace) {
    const keyAt = cursor.at;
    const key = flowKey(cursor, indent);
    if (key === "__proto__" || Object.hasOwn(value, key)) cursor.decline();
    skipWhite(cursor, indent);
    cursor.places?.enter(key, keyAt);
    value[key] = item(cursor, indent);
    cursor.places?.leave();
    separate(cursor, indent, code.closeBrace);
  }
  cursor.at += 1;
  return value;
}

/** Up to behind the colon. */
function flowKey(cursor: Cursor, indent: number): string {
  const { text } = cursor;
  const start = cursor.at;
  const key = isQuote(text.charCodeAt(start)) ? quoted(cursor, indent) : plainValue(cursor, flowPlain(cursor));
  const spaced = text.charCodeAt(cursor.at + 1) === code.space;
  const isShort = cursor.at - start <= maxKey && cursor.lineStart <= start;
  if (typeof key !== "string" || text.charCodeAt(cursor.at) !== code.colon || !spaced || !isShort) cursor.decline();
  cursor.at += 1;
  return key;
}

/** Simple keys end within 1024 characters; only the whole parser judges those that come near. */
export const maxKey = 500;

function item(cursor: Cursor, indent: number): unknown {
  cursor.places?.at(cursor.at);
  const first = cursor.text.charCodeAt(cursor.at);
  if (isQuote(first)) return quoted(cursor, indent);
  if (first === code.openBracket || first === code.openBrace) return flow(cursor, indent);
  return plainValue(cursor, flowPlain(cursor));
}

function isQuote(character: number): boolean {
  return character === code.doubleQuote || character === code.singleQuote;
}

/** The characters of an unquoted value, on one line. */
function flowPlain(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  if (!startsPlain(text, start) || (text.charCodeAt(start) === code.minus && isFlowSign(text.charCodeAt(start + 1)))) cursor.decline();
  let at = start;
  for (; ; at += 1) {
    const next = text.charCodeAt(at);
    if (next === code.comma || next === code.closeBracket || next === code.closeBrace || next === code.newline) break;
    if (next === code.colon) {
      const after = text.charCodeAt(at + 1);
      if (after === code.space) break;
      if (!(after > code.space) || isFlowSign(after)) cursor.decline();
    } else if (next === code.hash || next === code.question || next === code.tab || Number.isNaN(next) || isFlowSign(next))
      cursor.decline();
  }
  cursor.at = at;
  while (text.charCodeAt(at - 1) === code.space) at -= 1;
  if (cursor.at !== at && text.charCodeAt(cursor.at) === code.colon) cursor.decline();
  return text.slice(start, at);
}

function isFlowSign(character: number): boolean {
  return (
    character === code.comma ||
    character === code.openBracket ||
    character === code.closeBracket ||
    character === code.openBrace ||
    character === code.closeBrace
  );
}

/** A comma, or the closing bracket, which stays. */
function separate(cursor: Cursor, indent: number, close: number): void {
  skipWhite(cursor, indent);
  const next = cursor.text.charCodeAt(cursor.at);
  if (next === close) return;
  if (next !== code.comma) cursor.decline();
  cursor.at += 1;
  skipWhite(cursor, indent);
}

/** Blanks, line breaks and comments between values. */
function skipWhite(cursor: Cursor, indent: number): void {
  const { text } = cursor;
  for (;;) {
    cursor.skipSpaces();
    const next = text.charCodeAt(cursor.at);
    if (next === code.newline) cursor.foldLines(indent);
    else if (next === code.hash && text.charCodeAt(cursor.at - 1) <= code.space) {
      cursor.at = text.indexOf("\n", cursor.at);
      if (cursor.at === -1) cursor.decline();
    } else return;
  }
}
