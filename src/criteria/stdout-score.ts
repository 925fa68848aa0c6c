import { parsePythonFloat } from "../python/float.ts";
import { formatFixed } from "../python/format.ts";
import { stripText } from "../python/text.ts";
import { shortRepr } from "./json/repr.ts";

export type ScoreRead =
  | { readonly kind: "score"; readonly score: number /** First line of the details. */; readonly text: string }
  | { readonly kind: "none"; readonly error: string };

/**
 * The score in the first line of a command's output: Python's `float()`, brought into 0 … 1. What is not a finite number is refused before
 * that, or NaN would become the best score.
 */
export function readScore(firstLine: string): ScoreRead {
  const line = stripText(firstLine);
  if (line === "") return { kind: "none", error: "No output from command (empty stdout)" };
  const value = parsePythonFloat(line);
  if (value === undefined) return { kind: "none", error: `Could not parse score from first line: ${shortRepr(line)}` };
  if (!Number.isFinite(value)) return { kind: "none", error: `Invalid score value from stdout: ${shortRepr(line)}` };
  const score = Math.min(1, Math.max(0, value)) + 0;
  const clamped = score === value ? "" : ` (clamped from ${formatFixed(value, 3)})`;
  return { kind: "score", score, text: `Score: ${formatFixed(score, 3)}${clamped}` };
}
