import { toJsonText } from "./json-text.ts";
import type { RunSummary } from "./run-summary-schema.ts";

const longList = 500;

/**
 * `run.json` in pieces, one for each row: a run of any size is written without one string that holds all of it.
 * Joined, they are the same as `JSON.stringify(summary, null, 2)`.
 */
export function* runJsonChunks(summary: RunSummary): Generator<string> {
  let separator = "{\n";
  for (const [key, value] of Object.entries(summary)) {
    if (value === undefined) continue;
    yield `${separator}  ${JSON.stringify(key)}: `;
    separator = ",\n";
    if (Array.isArray(value) && value.length > longList) yield* arrayChunks(value);
    else yield indentedText(value);
  }
  yield "\n}";
}

function* arrayChunks(items: readonly unknown[]): Generator<string> {
  let separator = "[";
  for (const item of items) {
    const text = indentedText([item]);
    yield separator;
    // "[\n    item\n  ]" without its brackets, which belong to the whole list.
    yield text.slice(1, -"\n  ]".length);
    separator = ",";
  }
  yield "\n  ]";
}

/** A value as it stands one level deep in an indented file. */
function indentedText(value: unknown): string {
  const text = toJsonText({ v: value }, 2);
  return text.slice('{\n  "v": '.length, -"\n}".length);
}
