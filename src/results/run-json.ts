import { toJsonText } from "./json-text.ts";
import type { RunSummary } from "./run-summary-schema.ts";

/**
 * `run.json` in pieces, one per row: a run of any size is written without one string that holds all of it.
 * Joined, they are the same as `JSON.stringify(summary, null, 2)`.
 */
export function* runJsonChunks(summary: RunSummary): Generator<string> {
  let separator = "{\n";
  for (const [key, value] of Object.entries(summary)) {
    yield `${separator}  ${JSON.stringify(key)}: `;
    separator = ",\n";
    if (Array.isArray(value) && value.length > 0) yield* arrayChunks(value);
    else yield indented(toJsonText(value, 2), "  ");
  }
  yield "\n}";
}

function* arrayChunks(items: readonly unknown[]): Generator<string> {
  let separator = "[\n    ";
  for (const item of items) {
    yield separator + indented(toJsonText(item, 2), "    ");
    separator = ",\n    ";
  }
  yield "\n  ]";
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}
