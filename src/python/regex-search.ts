import type { runProgram } from "./regex-machine.ts";
import type { MachineTools } from "./regex-machine-tools.ts";
import type { Program } from "./regex-program.ts";

/** Pairs of start and end, for the match and each group, -1 where it took no part: in code points and in UTF-16 units. */
export interface Spans {
  readonly codePoints: Int32Array;
  readonly units: Int32Array;
}

/**
 * Searches a JavaScript string. Sent to the worker as source text: must not use anything but its arguments and
 * JavaScript's own globals.
 */
export function searchText(
  program: Program,
  subject: string,
  maxWords: number,
  run: typeof runProgram,
  tools: MachineTools,
): Spans | "memory" | undefined {
  const text = new Int32Array(subject.length + 1);
  let length = 0;
  for (let i = 0; i < subject.length; i += 1) {
    const unit = subject.charCodeAt(i);
    const next = unit >= 0xd800 && unit <= 0xdbff ? subject.charCodeAt(i + 1) : 0;
    if (next >= 0xdc00 && next <= 0xdfff) {
      text[length] = (unit - 0xd800) * 0x400 + (next - 0xdc00) + 0x10000;
      i += 1;
    } else text[length] = unit;
    length += 1;
  }
  text[length] = -1;
  const found = run(program, text.subarray(0, length + 1), maxWords, tools);
  if (found === undefined || found === "memory") return found;
  if (length === subject.length) return { codePoints: found, units: found };
  const unitOf = new Int32Array(length + 1);
  for (let i = 0; i < length; i += 1) unitOf[i + 1] = (unitOf[i] ?? 0) + ((text[i] ?? 0) > 0xffff ? 2 : 1);
  return { codePoints: found, units: found.map((index) => (index < 0 ? -1 : (unitOf[index] ?? -1))) };
}
