import { z } from "zod";
import { unchangedIf } from "./as-is.ts";
import { tokenUsageSchema } from "./token-usage.ts";
import {
  fittingOrNull,
  flagOr,
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

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || typeof value === "string";
const isNumberOrNull = (value: unknown) => value === null || Number.isFinite(value);

const commandKeys = 15;

/** One tool call of an agent (formats.md 5.4). */
export const commandTelemetrySchema = unchangedIf(
  z.object({
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
  }),
  // Written out, as a result may hold thousands.
  (value) =>
    isObject(value) &&
    isText(value.tool_name) &&
    isText(value.tool_id) &&
    isNumberOrNull(value.assistant_turn_index) &&
    isTextOrNull(value.timestamp) &&
    isNumberOrNull(value.duration_ms) &&
    isTextOrNull(value.generation_completed_at) &&
    isTextOrNull(value.execution_started_at) &&
    isTextOrNull(value.execution_completed_at) &&
    isObject(value.parameters) &&
    isTextOrNull(value.result_status) &&
    isTextOrNull(value.result_summary) &&
    isTextOrNull(value.error_message) &&
    value.result_data !== undefined &&
    Number.isFinite(value.sequence_number) &&
    isNumberOrNull(value.result_tokens) &&
    Object.keys(value).length === commandKeys,
);

/** A message of the transcript, told apart by `role`: `assistant`, `user`, `reconciliation`. Its other keys are kept as they are. */
export const messageSchema = unchangedIf(
  z.looseObject({
    role: textOr("assistant"),
    generation_duration_ms: numberOrNull.optional(),
  }),
  (value) =>
    isObject(value) && isText(value.role) && (value.generation_duration_ms === undefined || isNumberOrNull(value.generation_duration_ms)),
);

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
  commands: listOf(commandTelemetrySchema),
  timestamp: textOrNull,
  duration_seconds: numberOrNull,
  harness_startup_ms: numberOrNull,
  harness_teardown_ms: numberOrNull,
  tool_union_ms: numberOrNull,
  token_usage: fittingOrNull(tokenUsageSchema),
  model_used: textOrNull,
  assistant_turn_count: numberOrNull,
  messages: listOf(messageSchema),
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
