import type { KnownRows } from "./known-rows.ts";
import { fileNames, rowKeyText } from "./layout.ts";
import type { RunRow } from "./run-row.ts";
import { evaluationResultSchema } from "./task-result.ts";
import { toRunRow } from "./task-to-row.ts";

/** The ERROR row that stands for a result which cannot be read: it counts as a miss, it never vanishes. */
export function unreadableRow(
  problem: { readonly path: string; readonly reason: string },
  replicateIndex: number,
  known: KnownRows,
): RunRow {
  const dir = problem.path.slice(0, -fileNames.task.length - 1);
  const parts = dir.split("/");
  const [variantId = "default", ...rest] = parts;
  const taskId = (/^\d+$/.test(rest.at(-1) ?? "") ? rest.slice(0, -1) : rest).join("/") || variantId;
  const row = known.find(rowKeyText(variantId, taskId, replicateIndex), taskId);
  const result = evaluationResultSchema.parse({
    task_id: taskId,
    variant_id: variantId,
    final_status: "ERROR",
    error_message: `the result could not be read: ${problem.reason}`,
    error_details: { error_category: "unreadable_result", error_message: problem.reason, task_id: taskId },
  });
  return toRunRow(result, {
    replicateIndex,
    variantId,
    tags: row?.tags ?? [],
    taskPath: row?.task_path ?? null,
    resultDir: dir,
  });
}
