import assert from "node:assert/strict";
import test from "node:test";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { type CommandTelemetry, commandTelemetrySchema, type TurnRecord } from "../../../src/results/turn-record.ts";
import { sumTurns } from "../../../src/run/sum-turns.ts";

const call = (tool: string, status: string | null, ms: number | null): CommandTelemetry =>
  commandTelemetrySchema.parse({ tool_name: tool, tool_id: `${tool}-${ms}`, result_status: status, duration_ms: ms, parameters: {} });

const turn = (parts: Partial<TurnRecord>): TurnRecord => ({ ...emptyTurn("p", new Date(0)), ...parts });

const usage = (tokens: number, cost: number | null) => ({
  uncached_input_tokens: tokens,
  output_tokens: tokens * 2,
  cache_creation_input_tokens: tokens * 3,
  cache_read_input_tokens: tokens * 4,
  total_cost_usd: cost,
  input_tokens: tokens * 8,
});

test("without a turn nothing is known", () => {
  assert.deepEqual(new Set(Object.values(sumTurns([], 3))), new Set([null]));
});

test("turns that crashed count: their tokens were paid for and their commands were run", () => {
  const sums = sumTurns(
    [
      turn({
        crashed: true,
        commands: [call("Bash", "success", 5)],
        token_usage: usage(1, 0.25),
        assistant_turn_count: 1,
        model_used: "m",
      }),
      turn({ commands: [call("Write", "error", 7)], token_usage: usage(10, 0.5), assistant_turn_count: 2 }),
    ],
    1,
  );
  assert.deepEqual(sums.total_token_usage, usage(11, 0.75));
  assert.deepEqual([sums.actual_commands, sums.commands_efficiency, sums.total_assistant_turns, sums.model_used], [2, 0.5, 3, "m"]);
  assert.deepEqual([sums.command_stats?.success_rate, sums.command_stats?.total_command_time_ms], [50, 12]);
});

test("tokens that no turn told are unknown, a price that only one turn has is the sum", () => {
  assert.equal(sumTurns([turn({}), turn({})], null).total_token_usage, null);
  assert.equal(
    sumTurns([turn({ token_usage: usage(1, null) }), turn({ token_usage: usage(1, 2) })], null).total_token_usage?.total_cost_usd,
    2,
  );
  assert.equal(sumTurns([turn({ token_usage: usage(1, null) })], null).total_token_usage?.total_cost_usd, null);
});

test("efficiency: no command is 0, fewer than expected is 1, and without an expectation there is none", () => {
  const commands = [call("Bash", null, null)];
  assert.equal(sumTurns([turn({})], 2).commands_efficiency, 0);
  assert.equal(sumTurns([turn({ commands })], 2).commands_efficiency, 1);
  assert.equal(sumTurns([turn({ commands })], null).commands_efficiency, null);
});

test("commands that nobody timed took no known time, and those without a verdict are out of the rate", () => {
  const stats = sumTurns(
    [turn({ commands: [call("Bash", "unknown", null), call("Bash", null, null), call("Read", "success", null)] })],
    null,
  ).command_stats;
  assert.deepEqual([stats?.avg_command_time_ms, stats?.slowest_commands, stats?.unknown_commands, stats?.success_rate], [0, [], 2, 100]);
  assert.deepEqual(stats?.commands_by_tool, { Bash: 2, Read: 1 });
});

test("the most common sequence lies within a turn, and the earliest wins among equals", () => {
  const tools = (names: string): TurnRecord => turn({ commands: [...names].map((name) => call(name, "success", 1)) });
  assert.equal(sumTurns([tools("AB"), tools("CA")], null).command_stats?.most_common_sequence, null);
  assert.equal(sumTurns([tools("ABC"), tools("XYZ")], null).command_stats?.most_common_sequence, "A → B → C");
  assert.equal(sumTurns([tools("ABC"), tools("XYZ"), tools("XYZ")], null).command_stats?.most_common_sequence, "X → Y → Z");
});

test("the five slowest commands are kept, slowest first", () => {
  const commands = [3, 9, 1, 7, 5, 8].map((ms) => call("Bash", "success", ms));
  const slowest = sumTurns([turn({ commands })], null).command_stats?.slowest_commands;
  assert.deepEqual(
    slowest?.map((command) => command.duration_ms),
    [9, 8, 7, 5, 3],
  );
});
