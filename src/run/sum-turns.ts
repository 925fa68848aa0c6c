import { commandStatistics } from "../results/command-statistics.ts";
import { sum } from "../results/statistics.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import { fullInputTokens, type TokenUsage } from "../results/token-usage.ts";
import type { TurnRecord } from "../results/turn-record.ts";

export type TurnSums = Pick<
  EvaluationResult,
  "command_stats" | "total_token_usage" | "total_assistant_turns" | "model_used" | "actual_commands" | "commands_efficiency"
>;

/** Pure: what a result says of all its turns together, crashed ones among them (formats.md 5.1); all null without turns. */
export function sumTurns(turns: readonly TurnRecord[], expectedCommands: number | null): TurnSums {
  if (turns.length === 0) {
    return {
      command_stats: null,
      total_token_usage: null,
      total_assistant_turns: null,
      model_used: null,
      actual_commands: null,
      commands_efficiency: null,
    };
  }
  const actual = turns.reduce((total, { commands }) => total + commands.length, 0);
  return {
    command_stats: commandStatistics(turns),
    total_token_usage: totalUsage(turns),
    total_assistant_turns: sum(turns.map((turn) => turn.assistant_turn_count)) ?? 0,
    model_used: turns.findLast(({ model_used }) => model_used !== null)?.model_used ?? null,
    actual_commands: actual,
    commands_efficiency: expectedCommands === null ? null : efficiency(actual, expectedCommands),
  };
}

/** formats.md 2.2: no command at all is no efficient work. */
function efficiency(actual: number, expected: number): number {
  return actual === 0 ? 0 : expected / Math.max(actual, expected);
}

/** null where no turn told any. Its cost is that of the turns that have one; whether all have is for the row to say (`cost_complete`). */
function totalUsage(turns: readonly TurnRecord[]): TokenUsage | null {
  const usages = turns.flatMap(({ token_usage }) => token_usage ?? []);
  if (usages.length === 0) return null;
  const parts = {
    uncached_input_tokens: sum(usages.map((usage) => usage.uncached_input_tokens)) ?? 0,
    output_tokens: sum(usages.map((usage) => usage.output_tokens)) ?? 0,
    cache_creation_input_tokens: sum(usages.map((usage) => usage.cache_creation_input_tokens)) ?? 0,
    cache_read_input_tokens: sum(usages.map((usage) => usage.cache_read_input_tokens)) ?? 0,
  };
  return { ...parts, total_cost_usd: sum(usages.map((usage) => usage.total_cost_usd)) ?? null, input_tokens: fullInputTokens(parts) };
}
