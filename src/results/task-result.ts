import { z } from "zod";
import { isAsIs, unchangedIf } from "./as-is.ts";
import { criterionResultSchema } from "./criterion-result.ts";
import { finalStatuses } from "./final-status.ts";
import { earlierAttemptSchema } from "./resume/attempt-history.ts";
import { tokenUsageSchema } from "./token-usage.ts";
import {
  fittingOrNull,
  flagOr,
  listOf,
  numberOr,
  numberOrNull,
  numberRecord,
  objectOrEmpty,
  objectOrNull,
  renameTurns,
  textOr,
  textOrNull,
} from "./tolerant.ts";
import { commandStatisticsSchema, turnRecordSchema } from "./turn-record.ts";

/** A `pre_run` or `post_run` command and how it ended; 100,000 characters are kept per stream. */
export const hookResultSchema = z.object({
  command: textOr(""),
  exit_code: numberOrNull,
  stdout: textOr(""),
  stderr: textOr(""),
  duration_seconds: numberOrNull,
  error: textOrNull,
});

/** Where and why an attempt went wrong (formats.md 5.6). */
export const errorContextSchema = z.looseObject({
  error_category: textOr("unknown"),
  error_message: textOr(""),
  stack_trace: textOrNull,
  task_id: textOrNull,
  component: textOrNull,
  agent_name: textOrNull,
  attempt_number: numberOr(1),
  is_retryable: flagOr(false),
  retry_delay_seconds: numberOrNull,
  disk_usage_gb: numberOrNull,
  memory_usage_gb: numberOrNull,
  agent_stdout: textOrNull,
  agent_stderr: textOrNull,
  timestamp: textOrNull,
  error_tip: textOrNull,
});

export const taskConfigRecordSchema = z.object({
  resolved: objectOrEmpty,
  source_yaml: textOr(""),
  source_file: textOrNull,
  lineage: objectOrEmpty,
});

/** Ours: facts of the attempt that coder_eval has no place for (docs/formats.md). Times in milliseconds. */
export const attemptFactsSchema = z.object({
  version: textOr("unknown"),
  attempt: numberOr(1),
  /** Of this row, oldest first. */
  earlier_attempts: listOf(earlierAttemptSchema),
  /** Digest of what it ran with (`plan/stamp`); null in files of older versions. */
  stamp: textOrNull,
  /** What cut the attempt short, e.g. `engine lost`, `agent refused`: such a result is not final. Null for all others. */
  cut_short: textOrNull,
  replicate_index: numberOrNull,
  suite_id: textOrNull,
  row_id: textOrNull,
  tags: listOf(z.string()),
  task_path: textOrNull,
  sandbox: fittingOrNull(
    z.object({
      driver: textOr("unknown"),
      image: textOrNull,
      image_id: textOrNull,
      container_id: textOrNull,
      engine_version: textOrNull,
      memory_bytes: numberOrNull,
      cpus: numberOrNull,
      pids: numberOrNull,
    }),
  ),
  stages_ms: numberRecord,
  out_of_memory: flagOr(false),
  processes_killed: numberOrNull,
  artifacts: fittingOrNull(
    z.object({
      files: numberOr(0),
      bytes: numberOr(0),
      left_out_count: numberOr(0),
      left_out: listOf(z.object({ path: z.string(), reason: z.string() })),
    }),
  ),
  warnings: listOf(z.string()),
});

/** `task.json` in file order (formats.md 5.1). */
const currentSchema = z.object({
  task_id: z.string(),
  task_description: textOr(""),
  variant_id: textOr("default"),
  agent_type: textOr("unknown"),
  model_used: textOrNull,
  started_at: textOr(""),
  completed_at: textOrNull,
  /** Null where the writer had no number. */
  duration_seconds: numberOrNull,
  setup_ms: numberOrNull,
  grading_ms: numberOrNull,
  final_status: z.enum(finalStatuses),
  max_turns_exhausted: flagOr(false),
  weighted_score: numberOrNull,
  iteration_count: numberOr(0),
  success_criteria_results: z.array(criterionResultSchema).default(() => []),
  post_failure_criteria_results: listOf(criterionResultSchema),
  iterations: listOf(turnRecordSchema),
  error_message: textOrNull,
  error_details: fittingOrNull(errorContextSchema),
  error_log_tail: textOrNull,
  environment_info: objectOrEmpty,
  agent_config: objectOrNull,
  sdk_options: objectOrNull,
  sandbox_path: textOrNull,
  task_config: fittingOrNull(taskConfigRecordSchema),
  command_stats: fittingOrNull(commandStatisticsSchema),
  total_token_usage: fittingOrNull(tokenUsageSchema),
  total_assistant_turns: numberOrNull,
  expected_commands: numberOrNull,
  actual_commands: numberOrNull,
  commands_efficiency: numberOrNull,
  pre_run_results: listOf(hookResultSchema),
  post_run_results: listOf(hookResultSchema),
  simulation: objectOrNull,
  early_stop: objectOrNull,
  evalbatch: fittingOrNull(attemptFactsSchema),
});

/**
 * Reads every `task.json` that coder_eval 0.8.2 … 0.12 and we write. What decides (task id, status, criterion scores) must be
 * right; anything else that is odd is read as absent, so that one foreign key never costs a finished result.
 */
export const evaluationResultSchema = unchangedIf(z.preprocess(renameTurns, currentSchema), (value) => isAsIs(currentSchema, value));

/** One attempt of a resolved task, as `task.json` holds it. */
export type EvaluationResult = z.infer<typeof currentSchema>;
export type AttemptFacts = z.infer<typeof attemptFactsSchema>;
export type HookResult = z.infer<typeof hookResultSchema>;
export type ErrorContext = z.infer<typeof errorContextSchema>;
export type TaskConfigRecord = z.infer<typeof taskConfigRecordSchema>;
