import type { Plan } from "../plan/plan.ts";
import { namesOfPlanned } from "../report/row-names.ts";

/** How the rows of a plan are called while they run, by key: as the reports of that run will call them. */
export function liveNames({ tasks, experiment }: Pick<Plan, "tasks" | "experiment">): (key: string) => string {
  const rows = tasks.map(({ key, taskId, variantId, replicateIndex }) => ({
    key,
    task_id: taskId,
    variant_id: variantId,
    replicate_index: replicateIndex,
  }));
  const names = namesOfPlanned(
    rows,
    experiment.variants.map(({ variantId }) => variantId),
  );
  const byKey = new Map(rows.map((row) => [row.key, names.of(row)]));
  return (key) => byKey.get(key) ?? key;
}
