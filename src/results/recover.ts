import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileNames } from "./layout.ts";
import { readTaskResult } from "./read-task-result.ts";
import { walkResults } from "./result-tree.ts";
import { replicateOf } from "./resume/row-place.ts";
import type { EvaluationResult } from "./task-result.ts";

export type Recovered =
  | {
      readonly kind: "result";
      /** Path of the `task.json`, relative to the run directory, with `/`. */
      readonly path: string;
      readonly result: EvaluationResult;
      /** What the result says itself, else the name of its directory if that is a number, else 0. */
      readonly replicateIndex: number;
      readonly warning?: string | undefined;
    }
  /** A result that is there but cannot be used. */
  | { readonly kind: "problem"; readonly path: string; readonly reason: string }
  /** A run directory inside this one: its results belong to it alone. */
  | { readonly kind: "nested run"; readonly path: string };

const filesPerTurn = 64;

/**
 * Every result of a run directory, sorted by path, one in memory at a time (formats.md 8.4). Unlike coder_eval it never takes a
 * file below `artifacts/` for a result, and reports what it cannot read instead of leaving it out.
 */
export async function* recoverResults(runDir: string): AsyncGenerator<Recovered> {
  let sinceTurn = 0;
  for (const entry of walkResults(runDir, fileNames.task)) {
    if (entry.kind === "nested run") yield entry;
    else if (entry.kind === "unreadable") yield { kind: "problem", path: entry.path, reason: entry.reason };
    else if (!entry.regular) yield { kind: "problem", path: entry.path, reason: "not a regular file" };
    else yield readEntry(runDir, entry.path);
    // Reading is synchronous; timers and signals get their turn now and then.
    sinceTurn += 1;
    if (sinceTurn % filesPerTurn === 0) await setImmediate();
  }
}

function readEntry(runDir: string, path: string): Recovered {
  const read = readTaskResult(join(runDir, path));
  if (read.kind === "unreadable") return { kind: "problem", path, reason: read.reason };
  return { kind: "result", path, result: read.result, replicateIndex: replicateOf(path, read.result), warning: read.warning };
}
