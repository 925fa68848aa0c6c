import { fileNames, type RowKey, resultDirOf, rowKeyText } from "../layout.ts";
import type { EvaluationResult } from "../task-result.ts";

/** The replicate that a result is of: what it says itself, else the number that its directory is named after, else 0. */
export function replicateOf(path: string, result: EvaluationResult): number {
  const own = result.evalbatch?.replicate_index;
  return typeof own === "number" && Number.isInteger(own) && own >= 0 ? own : replicateIndexOf(path);
}

/** The row that a result belongs to by its content, as `rowKeyText` gives it. */
export function keyOfResult(path: string, result: EvaluationResult): string {
  return rowKeyText(result.variant_id, result.task_id, replicateOf(path, result));
}

/** The number that the directory of a result is named after, else 0. */
function replicateIndexOf(path: string): number {
  const name = path.split("/").at(-2) ?? "";
  return /^\d{1,9}$/.test(name) ? Number(name) : 0;
}

/** The directory of a `task.json`. */
export function dirOfResult(path: string): string {
  return path.slice(0, -fileNames.task.length - 1);
}

/** The directory of a row whose ids come out of a file; undefined where they cannot be one. */
export function placeOfRow(key: RowKey): string | undefined {
  try {
    return resultDirOf(key);
  } catch {
    return undefined;
  }
}
