import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { emptyTurn } from "../../../src/agents/turn.ts";
import type { RunLimits } from "../../../src/plan/schema/task-schema.ts";
import type { TurnRecord } from "../../../src/results/turn-record.ts";
import { applyLimits, checkBudgets } from "../../../src/run/limit-verdict.ts";
import { runLimits } from "./run-limits.ts";

interface Used {
  readonly uncached?: number;
  readonly creation?: number;
  readonly read?: number;
  readonly output?: number;
  readonly usd?: number | null;
}

function turn({ uncached = 0, creation = 0, read = 0, output = 0, usd = null }: Used = {}): TurnRecord {
  return {
    ...emptyTurn("p", new Date(0)),
    token_usage: {
      uncached_input_tokens: uncached,
      output_tokens: output,
      cache_creation_input_tokens: creation,
      cache_read_input_tokens: read,
      total_cost_usd: usd,
      input_tokens: uncached + creation + read,
    },
  };
}

const messageOf = (turns: readonly TurnRecord[], limits: Partial<RunLimits>): string | undefined =>
  checkBudgets(turns, runLimits(limits)).breach?.message;

test("exceeded means strictly more", () => {
  assert.equal(messageOf([turn({ uncached: 900, output: 100 })], { max_total_tokens: 1000 }), undefined);
  assert.equal(
    messageOf([turn({ uncached: 900, output: 200 })], { max_total_tokens: 1000 }),
    "total_tokens budget exceeded: 1100 > 1000 (iteration 1)",
  );
  assert.equal(messageOf([turn({ usd: 0.5 })], { max_usd: 0.5 }), undefined);
  assert.equal(messageOf([turn({ usd: 0.75 })], { max_usd: 0.5 }), "usd budget exceeded: 0.75 > 0.5 (iteration 1)");
});

test("the first of input, output, total and usd is told", () => {
  const turns = [turn({ uncached: 10, output: 10, usd: 1 })];
  const all = { max_input_tokens: 1, max_output_tokens: 1, max_total_tokens: 1, max_usd: 0.1 };
  assert.match(messageOf(turns, all) ?? "", /^input_tokens /);
  assert.match(messageOf(turns, { ...all, max_input_tokens: null }) ?? "", /^output_tokens /);
  assert.match(messageOf(turns, { max_total_tokens: 1, max_usd: 0.1 }) ?? "", /^total_tokens /);
  assert.deepEqual(checkBudgets(turns, runLimits({ max_usd: 0.1 })).breach?.budget, "cost");
});

test("cached input counts only where the task says so", () => {
  const turns = [turn({ uncached: 100, creation: 50, read: 5000 })];
  assert.equal(messageOf(turns, { max_input_tokens: 120 }), undefined);
  const creation = { max_input_tokens: 120, count_cache_creation: true };
  assert.equal(messageOf(turns, creation), "input_tokens budget exceeded: 150 > 120 (iteration 1)");
  const read = { max_total_tokens: 120, count_cached_input: true };
  assert.equal(messageOf(turns, read), "total_tokens budget exceeded: 5100 > 120 (iteration 1)");
});

test("all attempts count, and money is added without the noise of fractions", () => {
  const turns = [turn({ uncached: 60, usd: 0.1 }), turn({ uncached: 60, usd: 0.2 }), turn({ usd: null })];
  assert.equal(messageOf(turns, { max_input_tokens: 100 }), "input_tokens budget exceeded: 120 > 100 (iteration 1)");
  assert.equal(messageOf(turns, { max_usd: 0.25 }), "usd budget exceeded: 0.3 > 0.25 (iteration 1)");
});

test("what is not known is not checked but told", () => {
  const silent = { ...turn(), token_usage: null };
  const both = runLimits({ max_usd: 0.1, max_total_tokens: 1 });
  assert.deepEqual(checkBudgets([silent], both), {
    breach: undefined,
    warnings: [
      "run_limits.max_usd could not be checked: no turn has a price",
      "token limits could not be checked: the agent told no token counts",
    ],
  });
  assert.equal(messageOf([silent, turn({ output: 5 })], { max_output_tokens: 4 }), "output_tokens budget exceeded: 5 > 4 (iteration 1)");
  assert.deepEqual(checkBudgets([silent], runLimits({})), { breach: undefined, warnings: [] });
});

const passed = { kind: "graded", passed: true, weightedScore: 1 } as const;
const missed = { kind: "graded", passed: false, weightedScore: 0.4 } as const;
const ranOut = { ...turn(), max_turns_exhausted: true };

test("a budget replaces success and failure and keeps the score", () => {
  const facts = { turns: [turn({ output: 2 })], limits: runLimits({ max_output_tokens: 1 }), stopped: undefined };
  const message = "output_tokens budget exceeded: 2 > 1 (iteration 1)";
  for (const end of [passed, missed]) {
    assert.deepEqual(applyLimits(end, facts).end, { kind: "budget exceeded", budget: "tokens", message, weightedScore: end.weightedScore });
  }
});

test("what stopped the agent stands even if the sums of the end are within the budget", () => {
  const stopped = { kind: "budget", budget: "cost", message: "usd budget exceeded: 2 > 1 (iteration 1)" } as const;
  const { end } = applyLimits(passed, { turns: [turn()], limits: runLimits({ max_usd: 1 }), stopped });
  assert.deepEqual(end, { kind: "budget exceeded", budget: "cost", message: stopped.message, weightedScore: 1 });
});

test("running out of turns replaces only a failure, by the agent's own limit and by ours", () => {
  const limits = runLimits({ max_turns: 2 });
  const ways = [
    { turns: [ranOut], limits, stopped: undefined },
    { turns: [turn()], limits, stopped: { kind: "max turns" } as const },
  ];
  for (const facts of ways) {
    assert.deepEqual(applyLimits(missed, facts), {
      end: { kind: "max turns", weightedScore: 0.4 },
      warnings: [],
    });
    assert.deepEqual(applyLimits(passed, facts), { end: passed, warnings: [] });
  }
  // Only the last attempt: an earlier one was tried again.
  assert.equal(applyLimits(missed, { turns: [ranOut, turn()], limits, stopped: undefined }).end, missed);
});

test("an early stop leaves the verdict to the criteria, an attempt that was not graded stays as it is", () => {
  const error = { kind: "error", component: "orchestrator.iteration_1", error: new Error("x") } as const;
  const limits = runLimits({ max_output_tokens: 1 });
  assert.equal(applyLimits(error, { turns: [turn({ output: 5 })], limits, stopped: { kind: "max turns" } }).end, error);
});

test("more turns than expected are a warning: tool calls and the final reply", () => {
  const command = {
    tool_name: "Bash",
    tool_id: "1",
    assistant_turn_index: null,
    timestamp: null,
    duration_ms: null,
    generation_completed_at: null,
    execution_started_at: null,
    execution_completed_at: null,
    parameters: {},
    result_status: "success",
    result_summary: null,
    error_message: null,
    result_data: null,
    sequence_number: 1,
    result_tokens: null,
  };
  const reply = { is_error: false, subtype: "success", stop_reason: null, result: "done" };
  const turns = [{ ...turn(), commands: [command, command], result_summary: reply }];
  const warningsFor = (expected: number) =>
    applyLimits(passed, { turns, limits: runLimits({ expected_turns: expected }), stopped: undefined });
  assert.deepEqual(warningsFor(3), { end: passed, warnings: [] });
  assert.deepEqual(warningsFor(2).warnings, ["the agent took 3 turns, 2 were expected (run_limits.expected_turns)"]);
});

test("what is exceeded stays exceeded with more turns, and a higher limit never breaks where a lower one held", () => {
  const used = fc.record({ uncached: fc.nat(1000), creation: fc.nat(1000), read: fc.nat(1000), output: fc.nat(1000), usd: fc.nat(5) });
  const limits = fc.record({
    max_input_tokens: fc.option(fc.integer({ min: 1, max: 4000 })),
    max_output_tokens: fc.option(fc.integer({ min: 1, max: 2000 })),
    max_total_tokens: fc.option(fc.integer({ min: 1, max: 6000 })),
    max_usd: fc.option(fc.integer({ min: 1, max: 8 })),
    count_cached_input: fc.boolean(),
    count_cache_creation: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(used, { maxLength: 4 }), used, limits, (before, more, wanted) => {
      const turns = before.map(turn);
      const isOver = messageOf(turns, wanted) !== undefined;
      if (isOver) assert.notEqual(messageOf([...turns, turn(more)], wanted), undefined);
      const raised = { ...wanted, max_total_tokens: (wanted.max_total_tokens ?? 10_000) + 1, max_usd: (wanted.max_usd ?? 100) + 1 };
      if (!isOver) assert.equal(messageOf(turns, raised), undefined);
    }),
  );
});
