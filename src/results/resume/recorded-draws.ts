import type { RecordedCap, RecordedDraw } from "../../plan/plan-options.ts";
import type { PlanFile } from "../plan-file.ts";

export interface RecordedDraws {
  /** By suite. */
  readonly datasets: ReadonlyMap<string, RecordedDraw>;
  readonly cap: RecordedCap | undefined;
}

/** What an earlier execution of a run drew, out of its `plan.json`: a resume goes by it (B66). */
export function recordedDraws(plan: Pick<PlanFile, "selection" | "tasks"> | undefined): RecordedDraws {
  const rowIds = new Map<string, Set<string>>();
  for (const { suite_id, task_id } of plan?.tasks ?? []) {
    if (suite_id === null || !task_id.startsWith(`${suite_id}/`)) continue;
    const ids = rowIds.get(suite_id) ?? new Set();
    rowIds.set(suite_id, ids.add(task_id.slice(suite_id.length + 1)));
  }
  const drawn = (plan?.selection?.datasets ?? []).filter(({ mode }) => mode !== "all");
  const cap = plan?.selection?.cap ?? undefined;
  return {
    datasets: new Map(
      drawn.map(({ suite_id, mode, seed, limit }) => [suite_id, { mode, seed, limit, rowIds: rowIds.get(suite_id) ?? new Set() }]),
    ),
    cap:
      cap === undefined
        ? undefined
        : {
            maxTasks: cap.max_tasks,
            planned: cap.planned,
            seed: cap.seed,
            taskIds: new Set(plan?.tasks.map(({ task_id }) => task_id)),
          },
  };
}
