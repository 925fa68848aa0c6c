import { PythonRegexError } from "./python-error.ts";
import { pythonRepr } from "./repr.ts";

/** Reads a pattern token by token: a token is one character, or a backslash with the character behind it. */
export class PatternTokens {
  readonly #characters: readonly string[];
  /** Index behind the token that is next. */
  #index = 0;
  #next: string | undefined;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
    this.#advance();
  }

  get next(): string | undefined {
    return this.#next;
  }

  /** Where the next token starts, in code points. */
  get position(): number {
    return this.#index - (this.#next === undefined ? 0 : lengthOf(this.#next));
  }

  take(): string | undefined {
    const token = this.#next;
    this.#advance();
    return token;
  }

  skip(token: string): boolean {
    if (this.#next !== token) return false;
    this.#advance();
    return true;
  }

  /** At most `count` characters that match. */
  takeWhile(count: number, matching: RegExp): string {
    let text = "";
    while (count > 0 && this.#next !== undefined && matching.test(this.#next)) {
      text += this.#next;
      this.#advance();
      count -= 1;
    }
    return text;
  }

  /** Everything up to the terminator, which is taken too. `what` is meant for the error. */
  takeUntil(terminator: string, what: string): string {
    let text = "";
    for (;;) {
      const token = this.take();
      if (token === undefined) {
        if (text === "") throw this.error(`missing ${what}`);
        throw this.error(`missing ${terminator}, unterminated name`, lengthOf(text));
      }
      if (token === terminator) {
        if (text === "") throw this.error(`missing ${what}`, 1);
        return text;
      }
      text += token;
    }
  }

  seek(position: number): void {
    this.#index = position;
    this.#advance();
  }

  /** An error `back` characters before the next token. */
  error(message: string, back = 0): PythonRegexError {
    return this.errorAt(message, this.position - back);
  }

  errorAt(message: string, position: number): PythonRegexError {
    return new PythonRegexError(`${message} at position ${position}${this.#lineAndColumn(position)}`, { position });
  }

  unsupported(message: string, back: number, hint: string): PythonRegexError {
    const position = this.position - back;
    return new PythonRegexError(`${message} at position ${position}`, { kind: "not supported", position, hint });
  }

  checkGroupName(name: string, back: number): void {
    // Python's identifiers, which it takes in their NFKC form.
    if (/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name)) return;
    throw this.error(`bad character in group name ${pythonRepr(name)}`, lengthOf(name) + back);
  }

  #advance(): void {
    const character = this.#characters[this.#index];
    if (character !== "\\") {
      this.#next = character;
      if (character !== undefined) this.#index += 1;
      return;
    }
    const escaped = this.#characters[this.#index + 1];
    if (escaped === undefined) throw this.errorAt("bad escape (end of pattern)", this.#characters.length - 1);
    this.#next = character + escaped;
    this.#index += 2;
  }

  #lineAndColumn(position: number): string {
    if (!this.#characters.includes("\n")) return "";
    const before = this.#characters.slice(0, position);
    const line = before.filter((character) => character === "\n").length + 1;
    return ` (line ${line}, column ${position - before.lastIndexOf("\n")})`;
  }
}

/** Length in code points. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
