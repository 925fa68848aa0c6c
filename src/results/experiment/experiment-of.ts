import type { RunSummary } from "../run-summary-schema.ts";
import { buildExperimentResult } from "./build-experiment.ts";
import { defaultExperimentId } from "./experiment-facts.ts";
import type { ExperimentResult } from "./experiment-schema.ts";

type Run = Pick<RunSummary, "task_results" | "not_run" | "experiment" | "total_duration_seconds">;

/** Several reports ask for the same run. */
const known = new WeakMap<Run, ExperimentResult>();

/** The rows of a run by variant and task. Computed once for each summary, which must not be changed afterwards. */
export function experimentOf(summary: Run): ExperimentResult {
  const found = known.get(summary);
  if (found !== undefined) return found;
  const made = buildExperimentResult({
    experimentId: summary.experiment?.id ?? defaultExperimentId,
    description: summary.experiment?.description ?? "",
    variantIds: variantIdsOf(summary),
    rows: summary.task_results,
    notRun: summary.not_run,
    durationSeconds: summary.total_duration_seconds,
  });
  known.set(summary, made);
  return made;
}

/** Whether a run has more to it than its tasks: an experiment file, several variants, or several replicates. */
export function isExperiment(summary: Run): boolean {
  return summary.experiment !== null || hasVariants(summary) || hasReplicates(summary);
}

export function hasVariants(summary: Run): boolean {
  return variantIdsOf(summary).length > 1;
}

/** Also where the later replicates were not run. */
export function hasReplicates({ task_results: rows, not_run: notRun }: Pick<Run, "task_results" | "not_run">): boolean {
  const isLater = ({ replicate_index: index }: { readonly replicate_index: number | null }) => (index ?? 0) > 0;
  return rows.some(isLater) || notRun.some(isLater);
}

/** Planned variants first, in the experiment's order; one that nothing was run of is one too. */
function variantIdsOf({ task_results: rows, not_run: notRun, experiment }: Run): string[] {
  const ids = new Set(experiment?.variants.map((variant) => variant.id));
  for (const row of rows) ids.add(row.variant_id ?? "default");
  for (const entry of notRun) ids.add(entry.variant_id);
  return [...ids];
}
