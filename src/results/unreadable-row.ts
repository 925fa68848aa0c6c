import { join } from "node:path";
import type { KnownRows } from "./known-rows.ts";
import { type RowKey, rowKeyText } from "./layout.ts";
import { readAttemptsFile } from "./resume/attempts-file.ts";
import { dirOfResult } from "./resume/row-place.ts";
import type { RunRow } from "./run-row.ts";
import { evaluationResultSchema } from "./task-result.ts";
import { toRunRow } from "./task-to-row.ts";

/** The ERROR row that stands for a result which cannot be read: it counts as a miss, it never vanishes. */
export async function unreadableRow(
  runDir: string,
  problem: { readonly path: string; readonly reason: string },
  known: KnownRows,
): Promise<RunRow> {
  const dir = dirOfResult(problem.path);
  const { variantId, taskId, replicateIndex } = rowOfDirectory(dir);
  const row = known.find(rowKeyText(variantId, taskId, replicateIndex), taskId);
  const result = evaluationResultSchema.parse({
    task_id: taskId,
    variant_id: variantId,
    final_status: "ERROR",
    error_message: `the result could not be read: ${problem.reason}`,
    error_details: { error_category: "unreadable_result", error_message: problem.reason, task_id: taskId },
  });
  const attempts = await readAttemptsFile(join(runDir, dir));
  const made = toRunRow(result, {
    replicateIndex,
    variantId,
    tags: row?.tags ?? [],
    taskPath: row?.task_path ?? null,
    resultDir: dir,
  });
  // Its history counts for the pass rate, whatever became of the last attempt.
  if (attempts === undefined) return made;
  const earlier = attempts.earlier.filter(({ attempt }) => attempt !== attempts.attempt);
  return { ...made, attempt: attempts.attempt, earlier_attempts: earlier };
}

/** The row that a directory of a run directory is named after: `<variant>/<task_id>/<NN>`, the last part only where it is a number. */
export function rowOfDirectory(dir: string): RowKey {
  const [variantId = "default", ...rest] = dir.split("/");
  const last = rest.at(-1) ?? "";
  const isNumbered = rest.length > 1 && /^\d{1,9}$/.test(last);
  const taskId = (isNumbered ? rest.slice(0, -1) : rest).join("/") || variantId;
  return { variantId, taskId, replicateIndex: isNumbered ? Number(last) : 0 };
}
