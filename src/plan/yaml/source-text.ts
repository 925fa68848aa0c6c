import { isUtf8 } from "node:buffer";

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

export type Decoded = { readonly kind: "text"; readonly text: string } | { readonly kind: "invalid"; readonly byte: number };

/** Text of UTF-8 bytes without a byte order mark, or the 0-based place of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  if (isUtf8(bytes)) return { kind: "text", text: new TextDecoder().decode(bytes) };
  // The longest valid prefix, by bisection; a cut inside a good character costs at most three bytes.
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isUtf8Prefix(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return { kind: "invalid", byte: startOfCharacter(bytes, low) };
}

function isUtf8Prefix(bytes: Uint8Array): boolean {
  const whole = startOfCharacter(bytes, bytes.length);
  return isUtf8(bytes.subarray(0, whole)) && bytes.length - whole < 4;
}

/** Where the unfinished character at the end of the first `length` bytes begins, or `length` when none is unfinished. */
function startOfCharacter(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= Math.min(4, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return size > back ? length - back : length;
  }
  return length;
}

/** A file's text, line breaks as `\n`; the line table is made on the first question. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  #starts: number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  #lineStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
    return starts;
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** A line without its end, or `undefined` past the last one. */
  lineAt(line: number): string | undefined {
    const start = this.#lineStarts()[line - 1];
    if (start === undefined) return undefined;
    const end = this.text.indexOf("\n", start);
    return this.text.slice(start, end === -1 ? undefined : end);
  }
}
