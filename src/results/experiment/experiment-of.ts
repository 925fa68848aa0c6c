import type { RunSummary } from "../run-summary-schema.ts";
import { buildExperimentResult } from "./build-experiment.ts";
import { cellsOf } from "./cells.ts";
import { defaultExperimentId } from "./experiment-facts.ts";
import type { ExperimentResult } from "./experiment-schema.ts";
import { type TaskFigures, taskFigures } from "./task-figures.ts";

export type ExperimentRun = Pick<RunSummary, "task_results" | "not_run" | "experiment" | "total_duration_seconds">;

/** The rows of a run by task and variant. */
export interface Experiment {
  readonly result: ExperimentResult;
  readonly tasks: readonly TaskFigures[];
  readonly shape: Shape;
}

/** Of the whole run, what was not run included. */
export interface Shape {
  readonly tasks: number;
  readonly variants: number;
  /** Most of a task in a variant; at least 1. */
  readonly replicates: number;
  /** Every task has as many in every variant. */
  readonly even: boolean;
}

/** Several reports ask for the same run. */
const known = new WeakMap<ExperimentRun, Experiment>();

/** Computed once for each summary, which must not be changed afterwards. */
export function experimentOf(summary: ExperimentRun): Experiment {
  const found = known.get(summary);
  if (found !== undefined) return found;
  const variantIds = variantIdsOf(summary);
  const made = {
    result: buildExperimentResult({
      experimentId: summary.experiment?.id ?? defaultExperimentId,
      description: summary.experiment?.description ?? "",
      variantIds,
      rows: summary.task_results,
      notRun: summary.not_run,
      durationSeconds: summary.total_duration_seconds,
    }),
    tasks: taskFigures(cellsOf(summary.task_results, variantIds)),
    shape: shapeOf(summary, variantIds.length),
  };
  known.set(summary, made);
  return made;
}

function shapeOf(summary: ExperimentRun, variants: number): Shape {
  const { task_results: rows, not_run: notRun } = summary;
  const tasks = new Set([...rows, ...notRun].map((row) => row.task_id)).size;
  const replicates = 1 + laterReplicates(summary).reduce((most, index) => Math.max(most, index), 0);
  return { tasks, variants, replicates, even: rows.length + notRun.length === tasks * variants * replicates };
}

/** Whether a run has more to it than its tasks: an experiment file, several variants, or several replicates. */
export function isExperiment(summary: ExperimentRun): boolean {
  return summary.experiment !== null || hasVariants(summary) || hasReplicates(summary);
}

/** Whether there is something to compare: several variants or replicates, of which something ran. */
export function hasComparison(summary: ExperimentRun): boolean {
  return summary.task_results.length > 0 && (hasVariants(summary) || hasReplicates(summary));
}

export function hasVariants(summary: ExperimentRun): boolean {
  return variantIdsOf(summary).length > 1;
}

export function hasReplicates(summary: Pick<ExperimentRun, "task_results" | "not_run">): boolean {
  return laterReplicates(summary).length > 0;
}

/** Also those that were not run: they were asked for. */
function laterReplicates({ task_results: rows, not_run: notRun }: Pick<ExperimentRun, "task_results" | "not_run">): number[] {
  return [...rows, ...notRun].map((row) => row.replicate_index ?? 0).filter((index) => index > 0);
}

/** Planned variants first, in the experiment's order; one that nothing was run of is one too. */
function variantIdsOf({ task_results: rows, not_run: notRun, experiment }: ExperimentRun): string[] {
  const ids = new Set(experiment?.variants.map((variant) => variant.id));
  for (const row of rows) ids.add(row.variant_id ?? "default");
  for (const entry of notRun) ids.add(entry.variant_id);
  return [...ids];
}
