import { PythonError } from "../../python/python-error.ts";
import { emptyObject, integer, type JsonValue } from "./value.ts";

/** Deeper documents are refused: everything that walks a value may then recurse. */
const maxDepth = 1_000;

/**
 * Reads JSON as Python 3.13's `json.loads` does: `NaN`, `Infinity` and `-Infinity` are numbers, of equal keys the last wins, control
 * characters in strings are refused.
 * @throws PythonError `json.decoder.JSONDecodeError` with Python's message, e.g. `Expecting value: line 1 column 1 (char 0)`
 */
export function parseJson(text: string): JsonValue {
  return parseNatively(text) ?? parseExactly(text);
}

/**
 * The engine's own parser is ten times as fast; it is right where no number may lose digits, no sign is on a zero, and nothing nests too
 * deep. Undefined where it is not, or where the text is broken: then the words and the place of the error are Python's.
 */
function parseNatively(text: string): JsonValue | undefined {
  if (/(?<![.0-9])[0-9]{16}|-0(?![.0-9])/.test(text) || isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) inString = !inString;
    else if (inString) at += unit === 0x5c ? 1 : 0;
    else if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if (unit === 0x5d || unit === 0x7d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

function parseExactly(text: string): JsonValue {
  if (text.startsWith("\ufeff")) throw problem("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0);
  const reader = new Reader(text);
  reader.skipSpace();
  const value = reader.value(0);
  reader.skipSpace();
  if (reader.at < text.length) throw problem("Extra data", text, reader.at);
  return value;
}

function problem(message: string, text: string, unit: number): PythonError {
  const before = text.slice(0, unit);
  const line = before.split("\n").length;
  const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
  return new PythonError("JSONDecodeError", `${message}: line ${line} column ${column} (char ${[...before].length})`);
}

const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const words: readonly (readonly [string, JsonValue])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];
const space = /[ \t\n\r]*/y;
const escapes = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

class Reader {
  readonly text: string;
  at = 0;
  constructor(text: string) {
    this.text = text;
  }

  skipSpace(): void {
    space.lastIndex = this.at;
    this.at += space.exec(this.text)?.[0].length ?? 0;
  }

  value(depth: number): JsonValue {
    const char = this.text[this.at];
    if (char === '"') return this.string();
    if (char === "{" || char === "[") {
      if (depth >= maxDepth) throw new PythonError("RecursionError", `JSON is nested deeper than ${maxDepth} levels`);
      return char === "{" ? this.object(depth) : this.array(depth);
    }
    number.lastIndex = this.at;
    const found = number.exec(this.text);
    if (found !== null) {
      this.at += found[0].length;
      return found[1] === undefined && found[2] === undefined ? this.integer(found[0]) : Number(found[0]);
    }
    for (const [word, value] of words) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    throw this.bad("Expecting value");
  }

  /** Python refuses to read integers of more than 4,300 digits; reading them takes quadratic time. */
  private integer(digits: string): JsonValue {
    if (digits.replace("-", "").length > 4_300) {
      const hint = "use sys.set_int_max_str_digits() to increase the limit";
      throw new PythonError(
        "ValueError",
        `Exceeds the limit (4300 digits) for integer string conversion: value has ${digits.replace("-", "").length} digits; ${hint}`,
      );
    }
    return integer(digits);
  }

  private array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.at += 1;
    this.skipSpace();
    if (this.take("]")) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      this.skipSpace();
      if (this.take("]")) return items;
      const comma = this.at;
      if (!this.take(",")) throw this.bad("Expecting ',' delimiter");
      this.skipSpace();
      if (this.text[this.at] === "]") throw problem("Illegal trailing comma before end of array", this.text, comma);
    }
  }

  private object(depth: number): JsonValue {
    const object = emptyObject();
    this.at += 1;
    this.skipSpace();
    if (this.take("}")) return object;
    for (;;) {
      if (this.text[this.at] !== '"') throw this.bad("Expecting property name enclosed in double quotes");
      const key = this.string();
      this.skipSpace();
      if (!this.take(":")) throw this.bad("Expecting ':' delimiter");
      this.skipSpace();
      object[key] = this.value(depth + 1);
      this.skipSpace();
      if (this.take("}")) return object;
      const comma = this.at;
      if (!this.take(",")) throw this.bad("Expecting ',' delimiter");
      this.skipSpace();
      if (this.text[this.at] === "}") throw problem("Illegal trailing comma before end of object", this.text, comma);
    }
  }

  private string(): string {
    const begin = this.at;
    const parts: string[] = [];
    this.at += 1;
    for (;;) {
      const from = this.at;
      while (isPlain(this.text, this.at)) this.at += 1;
      parts.push(this.text.slice(from, this.at));
      const char = this.text[this.at];
      if (char === undefined) throw problem("Unterminated string starting at", this.text, begin);
      if (char === '"') {
        this.at += 1;
        return parts.join("");
      }
      if (char !== "\\") throw this.bad("Invalid control character at");
      parts.push(this.escape(begin));
    }
  }

  private escape(begin: number): string {
    const char = this.text[this.at + 1];
    if (char === undefined) throw problem("Unterminated string starting at", this.text, begin);
    if (char === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw problem("Invalid \\uXXXX escape", this.text, this.at + 1);
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = escapes.get(char);
    if (plain === undefined) throw this.bad("Invalid \\escape");
    this.at += 2;
    return plain;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  private bad(message: string): PythonError {
    return problem(message, this.text, this.at);
  }
}

/** A character that stands for itself inside a string. */
function isPlain(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0x20 && unit !== 0x22 && unit !== 0x5c;
}
