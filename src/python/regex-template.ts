import { PythonError } from "./python-error.ts";
import type { PythonRegex } from "./regex.ts";
import { controls } from "./regex-escapes.ts";
import { PatternTokens } from "./regex-tokens.ts";
import { pythonRepr } from "./repr.ts";

/** A piece of a replacement: text, or the number of the group whose text goes there. */
export type ReplacementPart = string | number;

const digit = /^[0-9]$/;
const octal = /^[0-7]$/;

/**
 * Reads the replacement of Python 3.13's `re.sub`: `\1`, `\g<1>`, `\g<name>`, octal numbers, `\n` and its like. A
 * backslash before anything but a letter or digit stays.
 * @throws PythonRegexError, and PythonError of type IndexError for an unknown group name, with Python's message
 */
export function parsePythonReplacement(template: string, regex: PythonRegex): readonly ReplacementPart[] {
  const reader = new ReplacementReader(template, regex);
  return reader.read();
}

class ReplacementReader {
  readonly #tokens: PatternTokens;
  readonly #regex: PythonRegex;
  readonly #parts: ReplacementPart[] = [];
  #text = "";

  constructor(template: string, regex: PythonRegex) {
    this.#tokens = new PatternTokens(template);
    this.#regex = regex;
  }

  read(): readonly ReplacementPart[] {
    for (let token = this.#tokens.take(); token !== undefined; token = this.#tokens.take()) {
      if (token.startsWith("\\")) this.#escape(token);
      else this.#text += token;
    }
    this.#endText();
    return this.#parts;
  }

  #endText(): void {
    if (this.#text !== "") this.#parts.push(this.#text);
    this.#text = "";
  }

  #escape(token: string): void {
    if (token === "\\g") this.#named();
    else if (token === "\\0") this.#code(Number.parseInt(`0${this.#tokens.takeWhile(2, octal)}`, 8) & 0xff);
    else if (/^\\[1-9]$/.test(token)) this.#numbered(token);
    else {
      const control = controls.get(token);
      if (control !== undefined) this.#code(control);
      else if (/^\\[A-Za-z]$/.test(token)) throw this.#tokens.error(`bad escape ${token}`, token.length);
      else this.#text += token;
    }
  }

  #code(code: number): void {
    this.#text += String.fromCodePoint(code);
  }

  /** `\12` is group 12, `\123` is octal. */
  #numbered(token: string): void {
    let text = token + this.#tokens.takeWhile(1, digit);
    if (/^\\[0-7]{2}$/.test(text)) {
      const third = this.#tokens.takeWhile(1, octal);
      text += third;
      if (third !== "") {
        const code = Number.parseInt(text.slice(1), 8);
        if (code > 0o377) throw this.#tokens.error(`octal escape value ${text} outside of range 0-0o377`, text.length);
        this.#code(code);
        return;
      }
    }
    this.#group(text.slice(1), text.length - 1);
  }

  #named(): void {
    if (!this.#tokens.skip("<")) throw this.#tokens.error("missing <");
    const name = this.#tokens.takeUntil(">", "group name");
    if (/^[0-9]+$/.test(name)) {
      this.#group(name, name.length + 1);
      return;
    }
    this.#tokens.checkGroupName(name, 1);
    const { groupIndex } = this.#regex;
    const index = Object.hasOwn(groupIndex, name) ? groupIndex[name] : undefined;
    if (index === undefined) throw new PythonError("IndexError", `unknown group name ${pythonRepr(name)}`);
    this.#endText();
    this.#parts.push(index);
  }

  /** @param back how many characters before the next token an error is to point. */
  #group(digits: string, back: number): void {
    const index = BigInt(digits);
    if (index > this.#regex.groups) throw this.#tokens.error(`invalid group reference ${index}`, back);
    this.#endText();
    this.#parts.push(Number(index));
  }
}
