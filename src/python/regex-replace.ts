import { RegexTimeoutError } from "./python-error.ts";
import { type PythonRegex, programOf } from "./regex.ts";
import { runProgram } from "./regex-machine.ts";
import { machineTools } from "./regex-machine-tools.ts";
import type { ReplacementPart } from "./regex-template.ts";

/** Words of backtracking per match (16 MB). */
const maxWords = 1 << 22;

/** Text that no subject here comes near. */
const defaultMaxLength = 1 << 28;

/**
 * Python 3.13's `re.sub(pattern, replacement, subject)`: every match from left to right, an empty one too unless it
 * ends the match before it; a group that took no part gives no text. Runs in this thread and for as long as the pattern
 * makes it: give it a time limit where the pattern is not ours.
 * @param maxLength of the result, in UTF-16 units
 * @throws RegexTimeoutError of limit `memory` when a match needs too much of it, or the result is too long
 */
export function replacePythonRegex(
  regex: PythonRegex,
  replacement: readonly ReplacementPart[],
  subject: string,
  maxLength = defaultMaxLength,
): string {
  const program = programOf(regex);
  const { text, unitOf } = codePointsOf(subject);
  const pieces: string[] = [];
  let length = 0;
  const push = (piece: string): void => {
    length += piece.length;
    if (length > maxLength) throw new RegexTimeoutError(regex.pattern, 0, "memory");
    pieces.push(piece);
  };
  let copied = 0;
  let wasEmpty = false;
  for (;;) {
    const spans = runProgram(program, text, maxWords, machineTools, copied, wasEmpty);
    if (spans === "memory") throw new RegexTimeoutError(regex.pattern, 0, "memory");
    if (spans === undefined) break;
    const slice = (from: number, to: number): string => subject.slice(unitOf(from), unitOf(to));
    const groupText = (group: number): string => {
      const from = spans[group * 2] ?? -1;
      const to = spans[group * 2 + 1] ?? -1;
      return from < 0 || to < from ? "" : slice(from, to);
    };
    const start = spans[0] ?? 0;
    const end = spans[1] ?? 0;
    push(slice(copied, start));
    for (const part of replacement) push(typeof part === "string" ? part : groupText(part));
    copied = end;
    wasEmpty = start === end;
  }
  push(subject.slice(unitOf(copied)));
  return pieces.join("");
}

interface CodePoints {
  /** With the -1 at the end that the machine wants. */
  readonly text: Int32Array;
  /** From an index in code points to one in UTF-16 units. */
  readonly unitOf: (index: number) => number;
}

function codePointsOf(subject: string): CodePoints {
  const text = new Int32Array(subject.length + 1);
  const units = new Int32Array(subject.length + 1);
  let length = 0;
  for (let unit = 0; unit < subject.length; length += 1) {
    const code = subject.codePointAt(unit) ?? 0;
    text[length] = code;
    units[length] = unit;
    unit += code > 0xffff ? 2 : 1;
  }
  text[length] = -1;
  units[length] = subject.length;
  return { text: text.subarray(0, length + 1), unitOf: (index) => units[index] ?? subject.length };
}
