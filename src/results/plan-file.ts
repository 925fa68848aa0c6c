import { z } from "zod";
import { type ExperimentFacts, experimentFactsSchema } from "./experiment/experiment-facts.ts";
import { type DriftEntry, driftEntrySchema } from "./fingerprint/drift-schema.ts";
import { type GatePolicy, gatePolicySchema, recordPolicy } from "./gate-policy.ts";
import { toJsonText } from "./json-text.ts";
import { type ResumeFacts, resumeOrNull, type SetAside, setAsideSchema } from "./resume/resume-facts.ts";
import { type RunOrigin, runOriginSchema } from "./resume/run-origin.ts";
import { type SkippedTask, skippedTaskSchema } from "./run-summary-schema.ts";
import { type Selection, selectionSchema } from "./selection.ts";
import { fittingOrNull, listOf, numberOr, objectOrEmpty, textOr, textOrNull } from "./tolerant.ts";

const plannedRowSchema = z.object({
  task_id: z.string(),
  variant_id: textOr("default"),
  replicate_index: numberOr(0),
  tags: listOf(z.string()),
  task_path: textOrNull,
  /** Of the row of a dataset; absent for other tasks. */
  suite_id: textOrNull,
});

/** `plan.json`: all that a rebuild needs to know of a run that was killed before it could write `run.json`. */
export const planFileSchema = z.object({
  run_id: textOr(""),
  evalbatch_version: textOrNull,
  framework_version: textOrNull,
  start_time: textOrNull,
  max_parallel: numberOr(1),
  environment_info: objectOrEmpty,
  /** What is asked of the run. */
  gate: fittingOrNull(gatePolicySchema),
  /** Null where no experiment file was given. */
  experiment: fittingOrNull(experimentFactsSchema),
  selection: fittingOrNull(selectionSchema),
  /** Null for a run from scratch. */
  resume: resumeOrNull,
  /** What differs from the execution before; known before anything runs. */
  drift: listOf(driftEntrySchema),
  set_aside: listOf(setAsideSchema),
  /** The job that made it; null outside of one. */
  origin: fittingOrNull(runOriginSchema),
  skipped_tasks: listOf(skippedTaskSchema),
  tasks: listOf(plannedRowSchema),
});

export type PlanFile = z.infer<typeof planFileSchema>;
export type PlannedRow = z.infer<typeof plannedRowSchema>;

export interface RunPlan {
  readonly startTime: Date;
  readonly maxParallel: number;
  readonly frameworkVersion: string;
  readonly evalbatchVersion: string;
  readonly environmentInfo: Readonly<Record<string, unknown>>;
  readonly gate: GatePolicy;
  /** Null or undefined where no experiment file was given. */
  readonly experiment?: ExperimentFacts | null | undefined;
  /** Null or undefined where nothing could be drawn. */
  readonly selection?: Selection | null | undefined;
  readonly resume?: ResumeFacts | null | undefined;
  readonly drift?: readonly DriftEntry[] | undefined;
  readonly setAside?: readonly SetAside[] | undefined;
  readonly origin?: RunOrigin | null | undefined;
  readonly skippedTasks: readonly SkippedTask[];
  /** Every row that is to run, in resolved order. */
  readonly rows: Iterable<Omit<PlannedRow, "suite_id"> & { readonly suite_id?: string | null | undefined }>;
}

/** `plan.json` in pieces; one line per row. */
export function* planChunks(runId: string, plan: RunPlan): Generator<string> {
  const head = {
    run_id: runId,
    evalbatch_version: plan.evalbatchVersion,
    framework_version: plan.frameworkVersion,
    start_time: plan.startTime.toISOString(),
    max_parallel: plan.maxParallel,
    environment_info: plan.environmentInfo,
    gate: recordPolicy(plan.gate),
    experiment: plan.experiment ?? null,
    selection: plan.selection ?? null,
    resume: plan.resume ?? null,
    drift: plan.drift ?? [],
    set_aside: plan.setAside ?? [],
    origin: plan.origin ?? null,
    skipped_tasks: plan.skippedTasks,
  };
  yield `${toJsonText(head, 2).slice(0, -2)},\n  "tasks": [`;
  let separator = "\n    ";
  for (const row of plan.rows) {
    const { task_id, variant_id, replicate_index, tags, task_path, suite_id } = row;
    const suite = typeof suite_id === "string" ? { suite_id } : {};
    yield separator + toJsonText({ task_id, variant_id, replicate_index, tags, task_path, ...suite });
    separator = ",\n    ";
  }
  yield "\n  ]\n}";
}
