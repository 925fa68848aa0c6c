import { z } from "zod";
import { finalStatuses } from "./final-status.ts";
import { earlierAttemptSchema } from "./resume/attempt-history.ts";
import { fittingOrNull, flagOr, listOf, numberOr, numberOrNull, objectOrNull, renameTurns, textOr, textOrNull } from "./tolerant.ts";

const rowTurnSchema = z.object({
  iteration: numberOr(1),
  duration_seconds: numberOrNull,
  command_count: numberOr(0),
  assistant_turn_count: numberOrNull,
  crashed: flagOr(false),
  crash_reason: textOrNull,
});

/** Ours: why a row is no success, in bounded excerpts, so that `run.json` alone tells it. */
export const rowFailureSchema = z.object({
  /** One line. */
  reason: textOr(""),
  /** The criteria that missed their threshold; the first five. */
  criteria: listOf(
    z.object({
      /** Position in the task file, from 0. */
      index: numberOr(0),
      type: textOr(""),
      description: textOr(""),
      score: numberOr(0),
      pass_threshold: numberOr(0),
      message: textOr(""),
    }),
  ),
  criteria_missed: numberOr(0),
  /** Last lines of the log of an attempt that could not be graded. */
  log_tail: textOrNull,
});

/** A row of `run.json` in file order (formats.md 6.1, with the keys of later versions). */
const currentSchema = z.object({
  task_id: z.string(),
  replicate_index: numberOrNull,
  status: z.enum(finalStatuses),
  weighted_score: numberOrNull,
  /** Seconds; null where nothing was measured. */
  duration: numberOrNull,
  iteration_count: numberOr(0),
  tags: listOf(z.string()),
  task_path: textOrNull,
  iterations: listOf(rowTurnSchema),
  startup_ms: numberOrNull,
  generation_ms: numberOrNull,
  tool_ms: numberOrNull,
  teardown_ms: numberOrNull,
  agent_wall_ms: numberOrNull,
  setup_ms: numberOrNull,
  grading_ms: numberOrNull,
  model_used: textOrNull,
  reference_similarity: numberOrNull,
  /** Uncached input only. */
  input_tokens: numberOrNull,
  output_tokens: numberOrNull,
  cache_creation_input_tokens: numberOrNull,
  cache_read_input_tokens: numberOrNull,
  total_tokens: numberOrNull,
  /** The whole bill: agent, judges, simulator. */
  total_cost_usd: numberOrNull,
  agent_cost_usd: numberOrNull,
  cost_complete: flagOr(true),
  judge_cost_usd: numberOrNull,
  simulator_cost_usd: numberOrNull,
  error_message: textOrNull,
  error_category: textOrNull,
  expected_commands: numberOrNull,
  actual_commands: numberOrNull,
  commands_efficiency: numberOrNull,
  agent_config: objectOrNull,
  sdk_options: objectOrNull,
  installed_tools: objectOrNull,
  max_turns_exhausted: flagOr(false),
  expected_turns_overage: fittingOrNull(z.tuple([z.number(), z.number()])),
  total_turns: numberOr(0),
  visible_turns: numberOr(0),
  expected_turns: numberOrNull,
  has_final_reply: flagOr(false),
  stopped_early: flagOr(false),
  early_stop_reason: textOrNull,
  turns_remaining_at_stop: numberOrNull,
  gate_threshold: numberOrNull,
  /** Ours. Null for a success, and in rows of other writers. */
  failure: fittingOrNull(rowFailureSchema),
  /** Ours: directory of the attempt, relative to the run directory. */
  result_dir: textOrNull,
  /** Ours: which attempt of the row this is; from 1. */
  attempt: numberOr(1),
  /** Ours: what came before, oldest first. */
  earlier_attempts: listOf(earlierAttemptSchema),
  /** Ours: an earlier execution of the run made this result, and this one took it over. */
  kept: flagOr(false),
  variant_id: textOrNull,
});

/** Reads a row of any version from 0.7 on (`turns` was the old name of `iterations`). */
export const runRowSchema = z.preprocess(renameTurns, currentSchema);

export type RunRow = z.infer<typeof currentSchema>;
export type RowFailure = z.infer<typeof rowFailureSchema>;
