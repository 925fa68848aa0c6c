import { rangeStart, setFromRuns } from "./code-set.ts";
import { once } from "./once.ts";
import { stripText } from "./text.ts";
import { digitRuns } from "./unicode-tables.ts";

const digitPart = "[0-9](?:_?[0-9])*";
const number = new RegExp(`^[+-]?(?:${digitPart}(?:\\.(?:${digitPart})?)?|\\.${digitPart})(?:[eE][+-]?${digitPart})?$`);
const word = /^([+-]?)(?:(inf|infinity)|nan)$/i;

/**
 * Python's `float(text)`: white space around, digits of every script, single underscores between digits, `inf`, `infinity`
 * and `nan` in any case. Undefined where Python raises ValueError.
 */
export function parsePythonFloat(text: string): number | undefined {
  const plain = asciiDigits(stripText(text));
  const named = word.exec(plain);
  if (named !== null) return named[2] === undefined ? Number.NaN : named[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return number.test(plain) ? Number(plain.replaceAll("_", "")) : undefined;
}

const digits = once(() => setFromRuns(digitRuns));

function asciiDigits(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // Each run of the table is made of whole tens that begin with a zero.
    const start = rangeStart(digits(), code);
    return start === undefined ? character : String((code - start) % 10);
  });
}
