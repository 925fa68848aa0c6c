import type { Places } from "./places.ts";

// Character codes of what has a meaning in YAML.
export const code = {
  end: Number.NaN,
  tab: 0x09,
  newline: 0x0a,
  space: 0x20,
  doubleQuote: 0x22,
  hash: 0x23,
  singleQuote: 0x27,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  colon: 0x3a,
  greater: 0x3e,
  question: 0x3f,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  pipe: 0x7c,
  closeBrace: 0x7d,
} as const;

/** The text holds something that only the whole parser may judge. */
export class Declined extends Error {}

/** More levels than any task file has; the whole parser decides beyond. */
const maxDepth = 60;

/**
 * A place in the text. Between values it stands on the first character of the next line that has content, and `column`
 * is where in its line that is: -1 at the end of the text.
 */
export class Cursor {
  readonly text: string;
  readonly places: Places | undefined;
  at = 0;
  lineStart = 0;
  column = -1;
  #depth = 0;

  constructor(text: string, places: Places | undefined) {
    this.text = text;
    this.places = places;
    this.nextContent();
  }

  decline(): never {
    throw new Declined();
  }

  /** Runs one level deeper. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) this.decline();
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** From the start of a line over empty lines and comments. */
  nextContent(): void {
    const { text } = this;
    let at = this.at;
    for (;;) {
      const start = at;
      while (text.charCodeAt(at) === code.space) at += 1;
      const first = text.charCodeAt(at);
      if (first === code.newline) at += 1;
      else if (first === code.hash) {
        at = text.indexOf("\n", at) + 1;
        if (at === 0) at = text.length;
      } else {
        this.at = at;
        this.lineStart = start;
        this.column = at >= text.length ? -1 : at - start;
        if (at === start && (first === code.minus || first === code.dot)) this.#refuseMarker();
        return;
      }
    }
  }

  #refuseMarker(): void {
    const three = this.text.slice(this.at, this.at + 3);
    if (three === "---" || three === "...") this.decline();
  }

  skipSpaces(): void {
    while (this.text.charCodeAt(this.at) === code.space) this.at += 1;
  }

  /** Nothing but a comment on the rest of the line. */
  atLineEnd(): boolean {
    if (this.at >= this.text.length) return true;
    const next = this.text.charCodeAt(this.at);
    return next === code.newline || (next === code.hash && this.text.charCodeAt(this.at - 1) === code.space);
  }

  /** Behind a value: the rest of the line must be empty; on to the next content. */
  endLine(): void {
    this.skipSpaces();
    if (!this.atLineEnd()) this.decline();
    const end = this.text.indexOf("\n", this.at);
    this.at = end === -1 ? this.text.length : end + 1;
    this.nextContent();
  }

  /** From a line's end inside a value to its next line with content. Gives the empty lines between. */
  foldLines(indent: number): number {
    const { text } = this;
    let empty = -1;
    let start = this.at;
    while (text.charCodeAt(this.at) === code.newline) {
      this.at += 1;
      start = this.at;
      empty += 1;
      this.skipSpaces();
    }
    // Less indented text is for the whole parser; so is a tab, which is no indentation.
    if (this.at - start <= indent || this.at >= text.length || text.charCodeAt(this.at) === code.tab) this.decline();
    this.lineStart = start;
    return empty;
  }
}

/** What a line break inside text becomes: a blank, or as many breaks as there are empty lines. */
export function folded(emptyLines: number): string {
  return emptyLines === 0 ? " " : "\n".repeat(emptyLines);
}
