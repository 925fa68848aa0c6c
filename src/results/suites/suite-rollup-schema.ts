import { z } from "zod";
import { finalStatuses } from "../final-status.ts";
import { passRateIntervalSchema } from "../pass-rate-interval.ts";

const share = z.number().min(0).max(1);
const count = z.number().int().min(0);
/** By name, in file order. Python writes whole numbers as `1.0`; both read the same. */
const metrics = z.record(z.string(), z.number());

/** A minimum that the task file asks of a metric; passed iff the metric is there and reaches it. */
export const thresholdCheckSchema = z.object({
  metric: z.string(),
  /** Null where the task file has no number: such a check is never passed. */
  min_value: z.number().nullable(),
  /** Null where there is no metric of that name. */
  actual_value: z.number().nullable(),
  passed: z.boolean(),
});

/** Of classifications: what was expected and what was seen, by label. Labels are foreign text. */
export const labelDetailsSchema = z.object({
  labels: z.array(z.string()),
  per_label: z.array(z.object({ label: z.string(), precision: share, recall: share, f1: share, support: count })),
  confusion: z.array(z.object({ expected: z.string(), observed: z.string(), count })),
  total_pairs: count,
});

export const criterionAggregateSchema = z.object({
  criterion_type: z.string(),
  /** The first row's. */
  description: z.string(),
  rows_total: count,
  /** Rows without a result for this criterion: each counts as score 0 in `metrics`. */
  rows_excluded: count,
  metrics,
  threshold_checks: z.array(thresholdCheckSchema),
  passed: z.boolean(),
  details: z.union([labelDetailsSchema, z.object({})]),
  error: z.string().nullable(),
  /** Ours: the metrics over the rows with a result alone, as coder_eval has them; null where `metrics` are these. */
  metrics_graded: metrics.nullable(),
  /** Ours: not passed, and rows that were not run or graded could still change that. */
  undecided: z.boolean(),
  /** Ours: its position in the task file, from 0. */
  index: count,
});

export const failedSampleSchema = z.object({
  row_id: z.string(),
  task_id: z.string(),
  final_status: z.enum(finalStatuses),
  weighted_score: z.number().nullable(),
  failure_reasons: z.array(z.string()),
  error_message: z.string().nullable(),
  /** Relative to the run directory, with `/`; null for a row that has no file. */
  task_json_relpath: z.string().nullable(),
  replicate_index: z.number(),
});

/** `suite.json` in file order (formats.md 7.2, with the keys of 0.12), then ours. Replicates count as rows. */
export const suiteRollupSchema = z.object({
  suite_id: z.string(),
  variant_id: z.string(),
  /** All rows that were to run. */
  rows_total: count,
  rows_passed: count,
  rows_failed: count,
  rows_error: count,
  rows_not_graded: count,
  /** Share of the graded rows, errors included, that passed at their first graded attempt; 0 when there are none. */
  pass_rate: share,
  /** Mean of the scores that there are. */
  average_weighted_score: z.number().nullable(),
  criterion_stats: z.array(z.object({ criterion_type: z.string(), rows_evaluated: count, average_score: share, error_count: count })),
  failed_samples: z.array(failedSampleSchema),
  criterion_aggregates: z.array(criterionAggregateSchema),
  passed: z.boolean(),
  rows_graded: count,
  /** Ours: planned and never run. */
  rows_not_run: count,
  /** Ours: not passed, and rows that were not run or graded could still change that. */
  undecided: z.boolean(),
  /** Ours: in `rows_passed`, and no success in rate, scores and metrics: they had failed before. */
  rows_passed_on_retry: count,
  /** Ours: `pass_rate` with its parts; null where nothing was graded. */
  pass_rate_interval: passRateIntervalSchema.nullable(),
});

export type ThresholdCheck = z.infer<typeof thresholdCheckSchema>;
export type LabelDetails = z.infer<typeof labelDetailsSchema>;
export type CriterionAggregate = z.infer<typeof criterionAggregateSchema>;
export type FailedSample = z.infer<typeof failedSampleSchema>;
export type SuiteRollup = z.infer<typeof suiteRollupSchema>;
