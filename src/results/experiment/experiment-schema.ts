import { z } from "zod";
import { finalStatuses } from "../final-status.ts";
import { shareMethods } from "../intervals.ts";
import { passAtKSchema } from "../pass-at-k.ts";

// Keys in file order (formats.md 3.6, with those of 0.12.16); ours are last, below `evalbatch`.

const amount = z.number().nullable();

/** All replicates of one task in one variant. */
export const variantResultSchema = z.object({
  variant_id: z.string(),
  task_id: z.string(),
  /** Mean; null where nothing was graded. */
  weighted_score: amount,
  /** Of the first replicate of the worst category. */
  final_status: z.enum(finalStatuses),
  /** Sum of those that did not end in an error. */
  duration_seconds: z.number(),
  total_tokens: amount,
  iteration_count: amount,
  total_assistant_turns: amount,
  reference_similarity: amount,
  replicate_index: z.literal(0),
  replicate_count: z.number(),
});

export const taskExperimentSummarySchema = z.object({
  task_id: z.string(),
  variant_results: z.array(variantResultSchema),
  best_variant: z.string().nullable(),
  is_tie: z.boolean(),
  score_spread: z.number(),
  replicate_count: z.number(),
});

const share = z.number().min(0).max(1).nullable();

/** Ours: a variant by its replicates, where `pass_rate` counts a task with replicates as passed only if all of them did. */
export const variantFiguresSchema = z.object({
  variant_id: z.string(),
  /** Replicates that ran. */
  run: z.number(),
  /** At the first graded attempt. */
  passed: z.number(),
  /** Passed, failed and errors: of these `passed` is a share. */
  graded: z.number(),
  errors: z.number(),
  not_run: z.number(),
  pass_rate: share,
  /** Interval of 95 %, replicates of a task taken for one cluster. */
  pass_rate_low: share,
  pass_rate_high: share,
  pass_rate_method: z.enum(shareMethods).nullable(),
  /** Of the tasks' mean scores: sample deviation, and bootstrap interval of 95 % of their mean (`average_score`). */
  score_deviation: amount,
  score_low: amount,
  score_high: amount,
  /** Per task. */
  average_assistant_turns: amount,
  total_tokens: amount,
  total_cost_usd: amount,
  cost_complete: z.boolean(),
  /** Seconds. */
  average_duration: amount,
  /** Tasks of which some replicates or attempts passed and some did not. */
  tasks_flaky: z.number(),
  /** Replicates that passed after they had failed; in no rate. */
  passed_on_retry: z.number(),
  pass_at_k: z.array(passAtKSchema),
});

/** `<variant>/variant.json`. A task counts once, whatever its replicates. */
export const variantAggregateSchema = z.object({
  variant_id: z.string(),
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  tasks_not_graded: z.number(),
  average_score: amount,
  average_duration: z.number(),
  total_tokens: amount,
  replicate_count: z.number(),
  tasks_token_budget_exceeded: z.number(),
  tasks_cost_budget_exceeded: z.number(),
  tasks_measured: z.number(),
  tasks_graded: z.number(),
  pass_rate: share,
  error_share: share,
});

/** What can be said of a difference: nothing is claimed that a few tasks may have brought about by chance. */
export const readings = ["higher", "lower", "no clear difference", "too few tasks differ"] as const;

/** Ours: two variants, task by task. */
export const comparisonSchema = z.object({
  /** The first variant, with which the second is compared. */
  baseline: z.string(),
  variant: z.string(),
  /** Tasks with a score in both. */
  pairs: z.number(),
  pairs_different: z.number(),
  /** Mean over the pairs of the second's mean score minus the first's. */
  mean_difference: amount,
  /** Bootstrap interval of 95 % over the pairs; null for fewer than two. */
  low: amount,
  high: amount,
  reading: z.enum(readings).nullable(),
});

/** `experiment.json`. */
export const experimentResultSchema = z.object({
  experiment_id: z.string(),
  description: z.string(),
  variant_ids: z.array(z.string()),
  task_summaries: z.array(taskExperimentSummarySchema),
  variant_aggregates: z.record(z.string(), variantAggregateSchema),
  total_duration_seconds: z.number(),
  per_replicate_scores: z.record(z.string(), z.record(z.string(), z.array(z.number().nullable()))),
  evalbatch: z.object({ variants: z.array(variantFiguresSchema), comparison: comparisonSchema.nullable() }),
});

export type VariantResult = z.infer<typeof variantResultSchema>;
export type TaskExperimentSummary = z.infer<typeof taskExperimentSummarySchema>;
export type VariantAggregate = z.infer<typeof variantAggregateSchema>;
export type VariantFigures = z.infer<typeof variantFiguresSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
export type ExperimentResult = z.infer<typeof experimentResultSchema>;
