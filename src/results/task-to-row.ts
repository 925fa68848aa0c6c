import { cut } from "./cut-text.ts";
import { failureOf } from "./row-failure.ts";
import type { RunRow } from "./run-row.ts";
import { sum } from "./statistics.ts";
import type { EvaluationResult } from "./task-result.ts";
import { type TokenUsage, totalTokens } from "./token-usage.ts";
import { isObject } from "./tolerant.ts";

export interface RowMeta {
  readonly replicateIndex: number | null;
  readonly variantId: string;
  readonly tags: readonly string[];
  /** The task file as the user gave it. */
  readonly taskPath: string | null;
  /** Directory of the attempt, relative to the run directory, with `/`. */
  readonly resultDir?: string | undefined;
  /** An earlier execution of the run made the result. */
  readonly kept?: boolean | undefined;
}

const errorMessageChars = 400;

/** The row of `run.json` for one attempt (formats.md 6.1; timings and costs as 0.12.16 computes them). */
export function toRunRow(result: EvaluationResult, meta: RowMeta): RunRow {
  const usage = result.total_token_usage;
  const turns = result.iterations;
  const commands = turns.reduce((count, turn) => count + turn.commands.length, 0);
  const hasReply = turns.some((turn) => (turn.result_summary?.result ?? "").trim() !== "");
  const visibleTurns = commands + (hasReply ? 1 : 0);
  const expectedTurns = numberAt(result.task_config?.resolved.run_limits, "expected_turns");
  const judgeCost = sum(result.success_criteria_results.map((criterion) => numberAt(criterion.token_usage, "total_cost_usd")));
  const simulatorCost = numberAt(result.simulation, "simulator_cost_usd");
  const agentCost = isSilent(usage) && usageIsMissing(result) ? null : (usage?.total_cost_usd ?? null);
  const installed = result.environment_info.installed_tools;
  return {
    task_id: result.task_id,
    replicate_index: meta.replicateIndex,
    status: result.final_status,
    weighted_score: result.weighted_score,
    duration: result.duration_seconds,
    iteration_count: result.iteration_count,
    tags: [...meta.tags],
    task_path: meta.taskPath,
    iterations: turns.map((turn) => ({
      iteration: turn.iteration,
      duration_seconds: turn.duration_seconds,
      command_count: turn.commands.length,
      assistant_turn_count: turn.assistant_turn_count,
      crashed: turn.crashed,
      crash_reason: turn.crash_reason,
    })),
    startup_ms: sum(turns.map((turn) => turn.harness_startup_ms)) ?? null,
    generation_ms: generationMs(turns),
    tool_ms: sum(turns.map((turn) => turn.tool_union_ms)) ?? null,
    teardown_ms: sum(turns.map((turn) => turn.harness_teardown_ms)) ?? null,
    agent_wall_ms: agentWallMs(result),
    setup_ms: result.setup_ms,
    grading_ms: result.grading_ms,
    model_used: result.model_used,
    reference_similarity: result.success_criteria_results.find((c) => c.criterion_type === "reference_comparison")?.score ?? null,
    input_tokens: usage?.uncached_input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    cache_creation_input_tokens: usage?.cache_creation_input_tokens ?? null,
    cache_read_input_tokens: usage?.cache_read_input_tokens ?? null,
    total_tokens: usage === null ? null : totalTokens(usage),
    total_cost_usd: sum([agentCost, judgeCost, simulatorCost]) ?? null,
    agent_cost_usd: agentCost,
    cost_complete: isCostComplete(result),
    judge_cost_usd: judgeCost ?? null,
    simulator_cost_usd: simulatorCost,
    error_message: result.error_message === null ? null : cut(result.error_message, errorMessageChars),
    error_category: result.error_details?.error_category ?? null,
    expected_commands: result.expected_commands,
    actual_commands: result.actual_commands,
    commands_efficiency: result.commands_efficiency,
    agent_config: agentConfigOf(result),
    sdk_options: result.sdk_options,
    installed_tools: isObject(installed) ? installed : null,
    max_turns_exhausted: result.max_turns_exhausted,
    expected_turns_overage: expectedTurns !== null && visibleTurns > expectedTurns ? [visibleTurns, expectedTurns] : null,
    total_turns: sum(turns.map((turn) => turn.num_turns)) ?? 0,
    visible_turns: visibleTurns,
    expected_turns: expectedTurns,
    has_final_reply: hasReply,
    stopped_early: result.early_stop !== null,
    early_stop_reason: textAt(result.early_stop, "reason"),
    turns_remaining_at_stop: numberAt(result.early_stop, "turns_remaining_at_stop"),
    gate_threshold: numberAt(result.early_stop, "gate_threshold"),
    failure: failureOf(result),
    result_dir: meta.resultDir ?? null,
    attempt: result.evalbatch?.attempt ?? 1,
    earlier_attempts: result.evalbatch?.earlier_attempts ?? [],
    kept: meta.kept ?? false,
    variant_id: meta.variantId,
  };
}

/** A result of ours leaves it out where coder_eval does not know the agent (docs/formats.md). */
function agentConfigOf(result: EvaluationResult): RunRow["agent_config"] {
  if (result.agent_config !== null || result.evalbatch === null) return result.agent_config;
  const agent = result.task_config?.resolved.agent;
  return isObject(agent) ? agent : null;
}

/** Milliseconds of all messages together; null when none was timed. One pass without lists: transcripts are long. */
function generationMs(turns: EvaluationResult["iterations"]): number | null {
  let total: number | null = null;
  for (const turn of turns) {
    for (const { generation_duration_ms: ms } of turn.messages) if (ms !== null && ms !== undefined) total = (total ?? 0) + ms;
  }
  return total;
}

/** Milliseconds spent in agent calls; null when no agent was timed (`none` writes turns of 0 s). */
function agentWallMs(result: EvaluationResult): number | null {
  const seconds = sum(result.iterations.map((turn) => turn.duration_seconds)) ?? 0;
  return seconds > 0 ? seconds * 1000 : null;
}

/** Whether every token that is known of was priced, no call of the agent is missing its record and no turn of ours its tokens. */
function isCostComplete(result: EvaluationResult): boolean {
  const priced = (usage: TokenUsage | null) => usage === null || usage.total_cost_usd !== null || totalTokens(usage) === 0;
  const calls = new Set(result.iterations.map((turn) => turn.iteration)).size;
  if (usageIsMissing(result)) return false;
  return priced(result.total_token_usage) && result.iterations.every((turn) => priced(turn.token_usage)) && result.iteration_count <= calls;
}

/**
 * The agent answered, and yet reports 0 tokens: they were read from the wrong place, so that its price is not 0 but unknown (B87). So it is
 * where a turn of ours has a transcript and no tokens: the agent was stopped before it told them. coder_eval takes that for complete.
 */
function usageIsMissing({ total_token_usage: total, iterations, evalbatch }: EvaluationResult): boolean {
  const answered = iterations.some(({ assistant_turn_count: turns, messages }) => (turns ?? 0) > 0 || messages.length > 0);
  if (total !== null && totalTokens(total) === 0 && answered) return true;
  return evalbatch !== null && iterations.some(({ token_usage: usage, messages }) => messages.length > 0 && isSilent(usage));
}

function isSilent(usage: TokenUsage | null): boolean {
  return usage === null || totalTokens(usage) === 0;
}

function numberAt(value: unknown, key: string): number | null {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

function textAt(value: unknown, key: string): string | null {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : null;
}
