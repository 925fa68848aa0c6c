import type { RunRow } from "../results/run-row.ts";

/** `<variant>/<task>/<NN>`, without the parts that are the same everywhere: variant `default`, replicate 0. Foreign text. */
export function rowName(row: Pick<RunRow, "variant_id" | "task_id" | "replicate_index">): string {
  const variant = row.variant_id === null || row.variant_id === "default" ? "" : `${row.variant_id}/`;
  const replicate = (row.replicate_index ?? 0) > 0 ? `/${String(row.replicate_index).padStart(2, "0")}` : "";
  return `${variant}${row.task_id}${replicate}`;
}

/** Why a task file could not be loaded, without the class of the error that `run.json` names before it. Foreign text. */
export function fileReason(reason: string): string {
  return reason.replace(/^(?:ValueError: Invalid task definition|[A-Z]\w*Error): /, "");
}

/** Why a row is no success, in one line. Foreign text. */
export function reasonOf(row: RunRow): string {
  return row.failure?.reason ?? row.error_message ?? "see its task.json";
}
