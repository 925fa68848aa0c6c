import assert from "node:assert/strict";
import test from "node:test";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { toFinishedRow } from "../../../src/commands/finished-row.ts";
import { criterionResultSchema } from "../../../src/results/criterion-result.ts";
import { sampleResult } from "../results/fixtures.ts";

const criterion = (overrides: Readonly<Record<string, unknown>>) =>
  criterionResultSchema.parse({ criterion_type: "file_exists", description: "d", score: 1, pass_threshold: 0.9, ...overrides });
const key = { key: "default/a/00" };

test("a row's details tell of each criterion whether it counted, and why", () => {
  const row = toFinishedRow(
    key,
    sampleResult({
      final_status: "FAILURE",
      success_criteria_results: [
        criterion({ details: "found" }),
        criterion({ score: 0.2, details: "found", error: "not enough" }),
        criterion({ score: 0.2, gating: false }),
        criterion({ score: 0, evaluation_status: "not_evaluated" }),
      ],
    }),
  );
  assert.deepEqual(
    row.details?.criteria.map(({ outcome, message }) => [outcome, message]),
    [
      ["passed", "found"],
      ["missed", "not enough\nfound"],
      ["noted", undefined],
      ["skipped", undefined],
    ],
  );
  assert.equal(row.reason, "file_exists: d");
});

test("a row's details hold the error, the agent's last words and the log's end", () => {
  const turn = emptyTurn("p", new Date(0));
  const { details } = toFinishedRow(
    key,
    sampleResult({
      final_status: "ERROR",
      error_message: "it broke",
      error_log_tail: "log",
      iterations: [
        { ...turn, agent_output: "first" },
        { ...turn, agent_output: "raw", result_summary: { is_error: false, subtype: "", stop_reason: null, result: "the reply" } },
      ],
    }),
  );
  assert.deepEqual(details, { criteria: [], error: "it broke", agentOutput: "the reply", logTail: "log" });
  assert.equal(toFinishedRow(key, sampleResult({ iterations: [{ ...turn, agent_output: "raw" }] })).details?.agentOutput, "raw");
});

test("the agent's words are not told twice, and what ends a recorded turn is not taken for them", () => {
  const turn = emptyTurn("p", new Date(0));
  const of = (agentOutput: string, log: string | null) =>
    toFinishedRow(key, sampleResult({ final_status: "FAILURE", error_log_tail: log, iterations: [{ ...turn, agent_output: agentOutput }] }))
      .details;
  const log = "2026-05-04 10:00:00 [INFO] evalbatch: [agent stdout] hi\n2026-05-04 10:00:00 [INFO] evalbatch: kept 0 files, 0 bytes\n";
  assert.deepEqual(of("hi\n[RESULT - SUCCESS] exit code 0", log), {
    criteria: [],
    error: undefined,
    agentOutput: undefined,
    logTail: "agent | hi",
  });
  assert.equal(of("hi\n[RESULT - SUCCESS] exit code 0", null)?.agentOutput, "hi");
  assert.equal(of("[RESULT - ERROR] timed out", null)?.agentOutput, undefined);
});
