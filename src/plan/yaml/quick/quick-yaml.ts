import { blockText } from "./block-text.ts";
import { Cursor, code, Declined } from "./cursor.ts";
import { flow, maxKey } from "./flow.ts";
import { type Place, Places } from "./places.ts";
import { plain, plainValue, quoted, startsPlain } from "./scalars.ts";

/**
 * Reads the YAML that nearly every task file is written in, many times faster than a parser that keeps all positions:
 * block mappings and lists, plain, quoted and block text, lists and mappings in brackets, comments. Gives the value that
 * the whole parser would give, or `undefined` for every text with something else in it, wrong or right: anchors, tags,
 * tabs outside of block text, documents, duplicate keys, odd keys, nothing at all. The text has no characters that YAML
 * forbids (`textFaults`), and its line breaks are `\n`.
 */
export function quickYaml(text: string): { readonly value: unknown } | undefined {
  const value = read(text, undefined);
  return value === undefined ? undefined : { value };
}

/** The places of the values in a text that `quickYaml` has read. */
export function quickPlaces(text: string): Place {
  const places = new Places();
  read(text, places);
  return places.root;
}

function read(text: string, places: Places | undefined): unknown {
  try {
    const cursor = new Cursor(text, places);
    // A byte order mark inside the text has its own rules.
    if (cursor.column === -1 || text.includes("\ufeff")) return undefined;
    const value = document(cursor);
    return cursor.column === -1 ? value : undefined;
  } catch (error) {
    if (error instanceof Declined) return undefined;
    throw error;
  }
}

/** Text alone is no task: only a mapping or a list is read. */
function document(cursor: Cursor): unknown {
  if (isDash(cursor)) return list(cursor, cursor.column);
  const keyAt = cursor.at;
  const key = blockKey(cursor);
  return key === undefined ? cursor.decline() : mapping(cursor, cursor.column, key, keyAt);
}

function isDash(cursor: Cursor): boolean {
  if (cursor.text.charCodeAt(cursor.at) !== code.minus) return false;
  const next = cursor.text.charCodeAt(cursor.at + 1);
  return next === code.space || next === code.newline || Number.isNaN(next);
}

/** What stands on lines of its own, further in than `parent`. */
function block(cursor: Cursor, parent: number): unknown {
  if (isDash(cursor)) return list(cursor, cursor.column);
  const keyAt = cursor.at;
  const key = blockKey(cursor);
  if (key !== undefined) return mapping(cursor, cursor.column, key, keyAt);
  const first = cursor.text.charCodeAt(cursor.at);
  return first === code.pipe || first === code.greater ? cursor.decline() : scalar(cursor, parent);
}

function mapping(cursor: Cursor, indent: number, firstKey: string, firstAt: number): Record<string, unknown> {
  cursor.enter();
  cursor.places?.at(firstAt);
  const value: Record<string, unknown> = {};
  let key: string = firstKey;
  let keyAt = firstAt;
  for (;;) {
    if (key === "__proto__" || Object.hasOwn(value, key)) cursor.decline();
    cursor.places?.enter(key, keyAt);
    value[key] = mappingValue(cursor, indent);
    cursor.places?.leave();
    if (cursor.column !== indent) break;
    keyAt = cursor.at;
    key = blockKey(cursor) ?? cursor.decline();
  }
  if (cursor.column > indent) cursor.decline();
  cursor.leave();
  return value;
}

function mappingValue(cursor: Cursor, indent: number): unknown {
  cursor.skipSpaces();
  if (!cursor.atLineEnd()) return scalar(cursor, indent);
  cursor.places?.at(cursor.at);
  cursor.endLine();
  if (cursor.column > indent) return block(cursor, indent);
  // A list may stand right below its key.
  return cursor.column === indent && isDash(cursor) ? list(cursor, indent) : null;
}

function list(cursor: Cursor, indent: number): unknown[] {
  cursor.enter();
  const items: unknown[] = [];
  cursor.places?.at(cursor.at);
  while (cursor.column === indent && isDash(cursor)) {
    cursor.at += 1;
    cursor.skipSpaces();
    cursor.places?.enter(items.length);
    items.push(listItem(cursor, indent));
    cursor.places?.leave();
  }
  if (cursor.column > indent) cursor.decline();
  cursor.leave();
  return items;
}

function listItem(cursor: Cursor, indent: number): unknown {
  if (cursor.atLineEnd()) {
    cursor.places?.at(cursor.at);
    cursor.endLine();
    return cursor.column > indent ? block(cursor, indent) : null;
  }
  cursor.column = cursor.at - cursor.lineStart;
  if (isDash(cursor)) return list(cursor, cursor.column);
  const keyAt = cursor.at;
  const key = blockKey(cursor);
  return key === undefined ? scalar(cursor, indent) : mapping(cursor, cursor.column, key, keyAt);
}

/** The key that begins here, up to behind its colon; `undefined`, unmoved, when the line has none. */
function blockKey(cursor: Cursor): string | undefined {
  const { text, at: start } = cursor;
  const first = text.charCodeAt(start);
  if (first === code.doubleQuote || first === code.singleQuote) return quotedKey(cursor);
  if (!startsPlain(text, start) || first === code.minus) return undefined;
  for (let at = start; at < text.length; at += 1) {
    const next = text.charCodeAt(at);
    if (next === code.newline) return undefined;
    if (next === code.hash && text.charCodeAt(at - 1) === code.space) return undefined;
    if (next === code.tab) cursor.decline();
    if (next !== code.colon) continue;
    const after = text.charCodeAt(at + 1);
    if (!(after === code.space || after === code.newline || Number.isNaN(after))) continue;
    const name = text.slice(start, at);
    if (name.length > maxKey || name.endsWith(" ") || typeof plainValue(cursor, name) !== "string") cursor.decline();
    cursor.at = at + 1;
    return name;
  }
  return undefined;
}

function quotedKey(cursor: Cursor): string | undefined {
  const { text, at: start, lineStart } = cursor;
  const name = quoted(cursor, -1);
  const isKey = text.charCodeAt(cursor.at) === code.colon;
  if (!isKey) {
    cursor.at = start;
    cursor.lineStart = lineStart;
    return undefined;
  }
  const after = text.charCodeAt(cursor.at + 1);
  const spaced = after === code.space || after === code.newline || Number.isNaN(after);
  if (!spaced || cursor.lineStart !== lineStart || cursor.at - start > maxKey) cursor.decline();
  cursor.at += 1;
  return name;
}

/** A value that begins on this line; afterwards the cursor is on the next content. */
function scalar(cursor: Cursor, indent: number): unknown {
  cursor.places?.at(cursor.at);
  const first = cursor.text.charCodeAt(cursor.at);
  if (first === code.pipe || first === code.greater) return blockText(cursor, indent);
  if (first === code.doubleQuote || first === code.singleQuote) {
    const text = quoted(cursor, indent);
    cursor.endLine();
    return text;
  }
  if (first === code.openBracket || first === code.openBrace) {
    const value = flow(cursor, indent);
    cursor.endLine();
    return value;
  }
  return startsPlain(cursor.text, cursor.at) ? plain(cursor, indent) : cursor.decline();
}
