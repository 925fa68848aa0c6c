import { z } from "zod";
import { tokenUsageSchema } from "./token-usage.ts";
import {
  fittingOrNull,
  flagOr,
  hasNumbersOrNulls,
  hasTextsOrNulls,
  isObject,
  listOf,
  numberOr,
  numberOrNull,
  numberRecord,
  objectOrEmpty,
  objectOrNull,
  textOr,
  textOrNull,
} from "./tolerant.ts";

/** One tool call of an agent (formats.md 5.4). */
export const commandTelemetrySchema = z.object({
  tool_name: textOr("unknown"),
  tool_id: textOr(""),
  assistant_turn_index: numberOrNull,
  timestamp: textOrNull,
  duration_ms: numberOrNull,
  generation_completed_at: textOrNull,
  execution_started_at: textOrNull,
  execution_completed_at: textOrNull,
  parameters: objectOrEmpty,
  /** `success`, `error`, `unknown` or null. */
  result_status: textOrNull,
  result_summary: textOrNull,
  error_message: textOrNull,
  result_data: z.unknown().default(null),
  sequence_number: numberOr(0),
  result_tokens: numberOrNull,
});

const commandTexts = [
  "timestamp",
  "generation_completed_at",
  "execution_started_at",
  "execution_completed_at",
  "result_status",
  "result_summary",
  "error_message",
] as const;

function isCommand(value: unknown): value is z.output<typeof commandTelemetrySchema> {
  return (
    isObject(value) &&
    typeof value.tool_name === "string" &&
    typeof value.tool_id === "string" &&
    typeof value.sequence_number === "number" &&
    isObject(value.parameters) &&
    "result_data" in value &&
    hasTextsOrNulls(value, commandTexts) &&
    hasNumbersOrNulls(value, ["assistant_turn_index", "duration_ms", "result_tokens"])
  );
}

/** A message of the transcript, told apart by `role`: `assistant`, `user`, `reconciliation`. Its other keys are kept as they are. */
export const messageSchema = z.looseObject({
  role: textOr("assistant"),
  generation_duration_ms: numberOrNull.optional(),
});

function isMessage(value: unknown): value is z.output<typeof messageSchema> {
  if (!isObject(value) || typeof value.role !== "string") return false;
  const duration = value.generation_duration_ms;
  return duration === undefined || duration === null || (typeof duration === "number" && Number.isFinite(duration));
}

export const resultSummarySchema = z.object({
  is_error: flagOr(false),
  subtype: textOr(""),
  stop_reason: textOrNull,
  result: textOrNull,
});

/** One call of the agent and everything it did in it (formats.md 5.4). */
export const turnRecordSchema = z.object({
  iteration: numberOr(1),
  user_input: textOr(""),
  agent_output: textOr(""),
  commands: listOf(commandTelemetrySchema, isCommand),
  timestamp: textOrNull,
  duration_seconds: numberOrNull,
  harness_startup_ms: numberOrNull,
  harness_teardown_ms: numberOrNull,
  tool_union_ms: numberOrNull,
  token_usage: fittingOrNull(tokenUsageSchema),
  model_used: textOrNull,
  assistant_turn_count: numberOrNull,
  messages: listOf(messageSchema, isMessage),
  num_turns: numberOrNull,
  max_turns_exhausted: flagOr(false),
  result_summary: fittingOrNull(resultSummarySchema),
  provider_call_costs: listOf(objectOrNull),
  provider_errors: listOf(objectOrNull),
  crashed: flagOr(false),
  crash_reason: textOrNull,
});

/** Sums over all tool calls of an attempt; `success_rate` is a percentage (formats.md 5.4). */
export const commandStatisticsSchema = z.object({
  total_commands: numberOr(0),
  commands_by_tool: numberRecord,
  total_command_time_ms: numberOr(0),
  avg_command_time_ms: numberOrNull,
  slowest_commands: listOf(z.object({ tool: textOr("unknown"), duration_ms: numberOr(0), parameters: objectOrEmpty, tool_id: textOrNull })),
  successful_commands: numberOr(0),
  failed_commands: numberOr(0),
  unknown_commands: numberOr(0),
  success_rate: numberOrNull,
  most_common_sequence: textOrNull,
});

export type CommandTelemetry = z.infer<typeof commandTelemetrySchema>;
export type Message = z.infer<typeof messageSchema>;
export type TurnRecord = z.infer<typeof turnRecordSchema>;
export type CommandStatistics = z.infer<typeof commandStatisticsSchema>;
