import type { RunRow } from "../results/run-row.ts";

/** Why a task file could not be loaded, without the class of the error that `run.json` names before it. Foreign text. */
export function fileReason(reason: string): string {
  return reason.replace(/^(?:ValueError: Invalid task definition|[A-Z]\w*Error): /, "");
}

/** Why a row is no success, in one line. Foreign text. */
export function reasonOf(row: RunRow): string {
  return row.failure?.reason ?? row.error_message ?? "see its task.json";
}
