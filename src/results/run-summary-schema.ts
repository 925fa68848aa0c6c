import { z } from "zod";
import { experimentFactsSchema } from "./experiment/experiment-facts.ts";
import { driftEntrySchema } from "./fingerprint/drift-schema.ts";
import { gateRecordSchema } from "./gate-policy.ts";
import { passRateIntervalSchema } from "./pass-rate-interval.ts";
import { resumeOrNull, setAsideSchema } from "./resume/resume-facts.ts";
import { runRowSchema } from "./run-row.ts";
import { selectionSchema } from "./selection.ts";
import { suiteSummarySchema } from "./suites/suite-summary.ts";
import { fittingOrNull, flagOr, listOf, numberOr, numberOrNull, objectOrEmpty, textOr, textOrNull } from "./tolerant.ts";

/** Why a task file was left out: `skip` on the user's wish, `invalid` because it could not be loaded. */
export const skipKinds = ["skip", "invalid"] as const;

export const skippedTaskSchema = z.object({
  path: z.string(),
  reason: z.string(),
  /** Ours; absent in files of other writers. */
  kind: z.enum(skipKinds).optional().catch(undefined),
});

export const notRunSchema = z.object({
  task_id: z.string(),
  variant_id: textOr("default"),
  replicate_index: numberOr(0),
  /** `cancelled`, `budget`, `disk full`, … */
  reason: textOr("unknown"),
});

const unreadableSchema = z.object({ path: z.string(), reason: z.string() });

/** How the run as a whole went. `incomplete`: nothing failed, but not everything was run and graded; `empty`: there was nothing. */
export const verdicts = ["passed", "failed", "incomplete", "empty"] as const;

/** `run.json` in file order: keys of 0.12.16, then ours. Files of 0.8.2 lack the computed ones. */
export const runSummarySchema = z.object({
  run_id: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  total_duration_seconds: numberOr(0),
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  tasks_not_graded: numberOr(0),
  /** Rows with a score. */
  tasks_measured: numberOr(0),
  tasks_token_budget_exceeded: numberOr(0),
  tasks_cost_budget_exceeded: numberOr(0),
  skipped_tasks: listOf(skippedTaskSchema),
  max_parallel: numberOr(1),
  task_results: z.array(runRowSchema).default(() => []),
  framework_version: textOr("unknown"),
  environment_info: objectOrEmpty,
  tasks_graded: numberOr(0),
  /** Share of the graded rows, errors included, that succeeded at their first graded attempt; null when there are none. */
  pass_rate: numberOrNull,
  error_share: numberOrNull,
  tasks_cost_incomplete: numberOr(0),
  cost_complete: flagOr(true),
  agent_cost_usd: numberOrNull,
  eval_overhead_cost_usd: numberOrNull,
  total_cost_usd: numberOrNull,
  evalbatch_version: textOrNull,
  verdict: fittingOrNull(z.enum(verdicts)),
  /** Each thing that keeps the verdict from `passed`, one line each. */
  verdict_reasons: listOf(z.string()),
  /** Rows run plus rows not run. */
  tasks_planned: numberOrNull,
  tasks_not_run: numberOr(0),
  not_run: listOf(notRunSchema),
  interrupted: flagOr(false),
  /** Result files that could not be read; each also has an ERROR row unless it is a copy of another. */
  unreadable: listOf(unreadableSchema),
  warnings: listOf(z.string()),
  /** What was asked of the run, and whether it holds. Null where nobody asked, and in files of other writers. */
  gate: fittingOrNull(gateRecordSchema),
  /** Places at which a secret was hidden. */
  redactions: numberOr(0),
  /** One per variant and dataset. */
  suites: listOf(suiteSummarySchema),
  /** Null where no experiment file was given, and in files of other writers. */
  experiment: fittingOrNull(experimentFactsSchema),
  /** What was drawn from what; null where nothing could be drawn, and in files of other writers. */
  selection: fittingOrNull(selectionSchema),
  /** Null for a run from scratch, and in files of other writers. */
  resume: resumeOrNull,
  /** What differs between the parts of the run; those that matter first. */
  drift: listOf(driftEntrySchema),
  /** Files of earlier attempts that were not used. */
  set_aside: listOf(setAsideSchema),
  /** In `tasks_succeeded`, and no success in a rate: they had failed before. */
  tasks_passed_on_retry: numberOr(0),
  /** `pass_rate` with its parts and its interval; null when nothing was graded, and in files of other writers. */
  pass_rate_interval: fittingOrNull(passRateIntervalSchema),
  /** The same successes as a share of all planned rows, of which those that were not run or not graded are misses. */
  pass_rate_planned: numberOrNull,
  /** The same successes as a share of the rows that passed or failed: what the rate would be without errors. */
  pass_rate_without_errors: numberOrNull,
});

export type RunSummary = z.infer<typeof runSummarySchema>;
export type SkippedTask = z.infer<typeof skippedTaskSchema>;
export type NotRun = z.infer<typeof notRunSchema>;
export type Unreadable = z.infer<typeof unreadableSchema>;
export type RunVerdict = (typeof verdicts)[number];
