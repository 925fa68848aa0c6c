import { contains, setFromRuns } from "./code-set.ts";
import { once } from "./once.ts";
import { PythonError } from "./python-error.ts";
import { spaceRuns } from "./unicode-tables.ts";

/**
 * A file's bytes as Python's `open(path, encoding="utf-8").read()` gives them: strict, with `\r\n` and `\r` read as `\n`. A byte
 * order mark stays as U+FEFF.
 * @throws PythonError `UnicodeDecodeError` with Python's text
 */
export function decodePythonText(bytes: Uint8Array): string {
  return universalNewlines(decodeUtf8(bytes));
}

/** Reads `\r\n` and `\r` as `\n`, as Python's text mode does. */
export function universalNewlines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Python's `str.strip()`: its own set of white space, which has U+001C to U+001F and U+0085 but not U+FEFF. */
export function stripText(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const lineBreak = new RegExp(`\r\n|[${"\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}]`);

/** Python's `str.splitlines()`: also at form feeds, U+001C to U+001E, U+0085, U+2028 and U+2029; a last line break adds no line. */
export function splitLines(text: string): string[] {
  const lines = text.split(lineBreak);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const spaces = once(() => setFromRuns(spaceRuns));

/** Python's `str.isspace` for one UTF-16 unit: no white space lies beyond U+FFFF. */
function isSpace(unit: number): boolean {
  return contains(spaces(), unit);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const { from, to, reason } = findBadBytes(bytes);
    const what =
      to - from === 1
        ? `byte 0x${(bytes[from] ?? 0).toString(16).padStart(2, "0")} in position ${from}`
        : `bytes in position ${from}-${to - 1}`;
    throw new PythonError("UnicodeDecodeError", `'utf-8' codec can't decode ${what}: ${reason}`, { cause });
  }
}

interface BadBytes {
  readonly from: number;
  /** Behind the last byte that Python blames. */
  readonly to: number;
  readonly reason: string;
}

/** The first sequence that is not UTF-8, as Python's decoder reports it. */
function findBadBytes(bytes: Uint8Array): BadBytes {
  let from = 0;
  while (from < bytes.length) {
    const first = bytes[from] ?? 0;
    const length = sequenceLength(first);
    if (length === 0) return { from, to: from + 1, reason: "invalid start byte" };
    for (let i = 1; i < length; i += 1) {
      const next = bytes[from + i];
      if (next === undefined) return { from, to: bytes.length, reason: "unexpected end of data" };
      if (!continues(first, i, next)) return { from, to: from + i, reason: "invalid continuation byte" };
    }
    from += length;
  }
  return { from: 0, to: bytes.length, reason: "unexpected end of data" };
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The second byte also rules out overlong forms, surrogates and what lies beyond U+10FFFF. */
function continues(first: number, index: number, byte: number): boolean {
  const low = index > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = index > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}
