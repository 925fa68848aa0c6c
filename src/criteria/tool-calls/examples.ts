import { pythonRepr } from "../../python/repr.ts";

const shownExamples = 3;
const exampleChars = 120;

/** The line of `details` that shows the first matches (formats.md 2.2): up to three, cut at 120 characters; nothing without a match. */
export function examplesOf(texts: readonly string[]): string {
  if (texts.length === 0) return "";
  return `\nExamples: ${pythonRepr(texts.slice(0, shownExamples).map((text) => firstChars(text, exampleChars)))}`;
}

/** The first so many characters; an emoji is one. */
export function firstChars(text: string, count: number): string {
  if (text.length <= count) return text;
  // Twice as many units hold them in every case: a long text is not split as a whole.
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}
