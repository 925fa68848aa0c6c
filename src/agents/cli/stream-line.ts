import { isObject } from "../../results/any-object.ts";

/** An object of a stream, whose fields are not to be trusted to have any type. */
export type StreamObject = Record<string, unknown>;

export type StreamLine = { readonly kind: "object"; readonly value: StreamObject } | { readonly kind: "other" };

/** Reads one line of a stream. What is no JSON object, a cut line too, is `other`; nothing is thrown. */
export function parseLine(line: string): StreamLine {
  if (!line.trimStart().startsWith("{")) return { kind: "other" };
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? { kind: "object", value } : { kind: "other" };
  } catch {
    return { kind: "other" };
  }
}

/** The object below `key`; an empty one where there is none. */
export function objectAt(object: StreamObject, key: string): StreamObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** The list below `key`; an empty one where there is none. */
export function listAt(object: StreamObject, key: string): readonly unknown[] {
  const value = own(object, key);
  return Array.isArray(value) ? value : [];
}

/** The objects of the list below `key`; its other entries are left out. */
export function objectsAt(object: StreamObject, key: string): readonly StreamObject[] {
  return listAt(object, key).filter(isObject);
}

/** The texts of the list below `key`, or undefined where there is no list. */
export function textsAt(object: StreamObject, key: string): readonly string[] | undefined {
  const value = own(object, key);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;
}

/** The text below `key`, which may be empty. */
export function textAt(object: StreamObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === "string" ? value : undefined;
}

/** The finite number below `key`. */
export function numberAt(object: StreamObject, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A count below `key`: a whole number from 0 on. */
export function countAt(object: StreamObject, key: string): number | undefined {
  const value = numberAt(object, key);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function flagAt(object: StreamObject, key: string): boolean | undefined {
  const value = own(object, key);
  return typeof value === "boolean" ? value : undefined;
}

/** The time below `key`: ISO text or milliseconds since 1970. */
export function dateAt(object: StreamObject, key: string): Date | undefined {
  const value = own(object, key);
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** An entry of a table of tool names, and nothing that every object inherits. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The same parameters with other names: `names` goes from the agent's name to the common one. What has no other name keeps its own. */
export function renameKeys(parameters: StreamObject, names: Readonly<Record<string, string>>): StreamObject {
  return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [lookUp(names, key) ?? key, value]));
}

export interface DeltaJoiner {
  add(piece: string): void;
  /** Everything that was added since the last time; undefined where that is nothing. */
  take(): string | undefined;
}

/** Joins pieces of a text that a stream tells bit by bit. */
export function joinDeltas(): DeltaJoiner {
  let pieces: string[] = [];
  return {
    add(piece) {
      if (piece !== "") pieces.push(piece);
    },
    take() {
      if (pieces.length === 0) return undefined;
      const text = pieces.join("");
      pieces = [];
      return text;
    },
  };
}

/** The text of what a tool gave back: as it is, the texts of a list of content blocks, or JSON. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((block) => (isObject(block) ? (textAt(block, "text") ?? `[${textAt(block, "type") ?? "block"}]`) : String(block)))
    .join("\n");
}

function own(object: StreamObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
