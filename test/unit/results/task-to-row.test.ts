import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { readTaskResult } from "../../../src/results/read-task-result.ts";
import { attemptFactsSchema, type EvaluationResult } from "../../../src/results/task-result.ts";
import { toRunRow } from "../../../src/results/task-to-row.ts";
import { fixtureRuns, sampleResult } from "./fixtures.ts";

const ownKeys = ["failure", "result_dir", "attempt", "earlier_attempts", "kept"];

interface WrittenRow {
  readonly task_id: string;
  readonly variant_id: string;
  readonly replicate_index: number;
  readonly tags: readonly string[];
  readonly task_path: string;
}

function rowsOf(run: string): { written: WrittenRow; ours: Record<string, unknown> }[] {
  const summary: { task_results: WrittenRow[] } = JSON.parse(readFileSync(join(fixtureRuns, run, "run.json"), "utf8"));
  return summary.task_results.flatMap((written) => {
    const file = join(fixtureRuns, run, written.variant_id, written.task_id, "00/task.json");
    if (!existsSync(file)) return [];
    const read = readTaskResult(file);
    const result = read.kind === "result" ? read.result : assert.fail(read.reason);
    const { replicate_index: replicateIndex, variant_id: variantId, tags, task_path: taskPath } = written;
    return [{ written, ours: { ...toRunRow(result, { replicateIndex, variantId, tags, taskPath }) } }];
  });
}

test("a row has the values and the order of keys that 0.12.16 writes; ours come before the last", () => {
  const rows = rowsOf("mixed-0.12.16");
  assert.equal(rows.length, 22);
  for (const { written, ours } of rows) {
    const common = Object.fromEntries(Object.entries(ours).filter(([key]) => !ownKeys.includes(key)));
    assert.deepEqual(round(common), round(written), written.task_id);
    assert.deepEqual(Object.keys(common), Object.keys(written));
    assert.deepEqual(Object.keys(ours).slice(-ownKeys.length - 1), [...ownKeys, "variant_id"]);
  }
});

test("a row has the values that 0.8.2 writes for all keys that it knows", () => {
  for (const run of ["all-pass", "mixed"]) {
    for (const { written, ours } of rowsOf(run)) {
      const known = Object.fromEntries(Object.keys(written).map((key) => [key, ours[key]]));
      assert.deepEqual(known, written, written.task_id);
    }
  }
});

/** Sums of floats differ in the last bits by the order of adding. */
function round(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, part: unknown) => (typeof part === "number" ? Number(part.toPrecision(12)) : part)));
}

const meta = { replicateIndex: 0, variantId: "default", tags: [], taskPath: null };
const miss = {
  result_kind: "basic",
  criterion_type: "file_exists",
  description: "a file",
  details: null,
  error: null,
  evaluation_status: "evaluated",
  pass_threshold: 0.9,
  gating: true,
};

test("the failure of a row names the criteria that missed, not those that passed or only inform", () => {
  const criteria: EvaluationResult["success_criteria_results"] = [
    { ...miss, score: 1 },
    { ...miss, score: 0.5, details: "half\n  of it" },
    { ...miss, score: 0, gating: false },
    { ...miss, score: 0, evaluation_status: "not_evaluated" },
    { ...miss, score: 0, error: "boom" },
  ];
  const row = toRunRow(sampleResult({ final_status: "FAILURE", success_criteria_results: criteria }), meta);
  assert.equal(row.failure?.reason, "a file: half | of it");
  assert.deepEqual(
    row.failure?.criteria.map(({ index, message }) => [index, message]),
    [
      [1, "half\n  of it"],
      [4, "boom"],
    ],
  );
  assert.equal(row.failure?.criteria_missed, 2);
});

test("the reason of a command that failed is its end and what it printed last, without the command itself", () => {
  const printed = Array.from({ length: 100 }, (_, index) => `test ${index} passed`).join("\n");
  const details = `Command: cd x &&\n make test\nExit code: 1 (expected: 0)\nStdout:\n${printed}\nFAILED test_rounding\nStderr: (empty)`;
  const row = toRunRow(sampleResult({ final_status: "FAILURE", success_criteria_results: [{ ...miss, score: 0, details }] }), meta);
  assert.match(row.failure?.reason ?? "", /^a file: Exit code: 1 \(expected: 0\) \| … \| test \d+ passed .* \| FAILED test_rounding$/);
  assert.match(row.failure?.criteria[0]?.message ?? "", /^Exit code: 1 [\s\S]*\n…\n[\s\S]*\nFAILED test_rounding$/);
});

test("a criterion tells its error and what it saw", () => {
  const criterion = { ...miss, score: 0, error: "no score", details: "Exit code: 0\nStdout:\nnan" };
  const row = toRunRow(sampleResult({ final_status: "FAILURE", success_criteria_results: [criterion] }), meta);
  assert.equal(row.failure?.reason, "a file: no score");
  assert.equal(row.failure?.criteria[0]?.message, "no score\nExit code: 0\nStdout:\nnan");
});

test("a row keeps bounded excerpts of a huge failure", () => {
  const criteria = Array.from({ length: 1000 }, () => ({ ...miss, score: 0, details: "x".repeat(100_000) }));
  const result = sampleResult({
    final_status: "ERROR",
    error_message: "y".repeat(100_000),
    error_log_tail: "z\n".repeat(100_000),
    success_criteria_results: criteria,
  });
  assert.ok(JSON.stringify(toRunRow(result, meta)).length < 8000);
});

test("a success and an ungraded attempt have no failure", () => {
  assert.equal(toRunRow(sampleResult(), meta).failure, null);
  assert.equal(toRunRow(sampleResult({ final_status: "NOT_GRADED" }), meta).failure, null);
});

test("unknown is not zero: no usage gives null for every token and cost", () => {
  const row = toRunRow(sampleResult(), meta);
  const values = [row.input_tokens, row.output_tokens, row.total_tokens, row.total_cost_usd, row.agent_cost_usd, row.agent_wall_ms];
  assert.deepEqual(values, [null, null, null, null, null, null]);
});

test("the bill of a row is agent, judges and simulator together", () => {
  const usage = {
    uncached_input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    total_cost_usd: 0.5,
    input_tokens: 10,
  };
  const judge = { ...miss, score: 1, token_usage: { ...usage, total_cost_usd: 0.25 } };
  const row = toRunRow(sampleResult({ total_token_usage: usage, success_criteria_results: [judge] }), meta);
  assert.equal(row.agent_cost_usd, 0.5);
  assert.equal(row.judge_cost_usd, 0.25);
  assert.equal(row.total_cost_usd, 0.75);
  assert.equal(row.cost_complete, true);
});

test("the settings of an agent that coder_eval does not know come from the resolved task", () => {
  const agent = { type: "command", command: "true" };
  const task_config = { resolved: { agent }, source_yaml: "", source_file: null, lineage: {} };
  const meta = { replicateIndex: 0, variantId: "default", tags: [], taskPath: null };
  const evalbatch = attemptFactsSchema.parse({});
  assert.deepEqual(toRunRow(sampleResult({ task_config, evalbatch }), meta).agent_config, agent);
  assert.equal(toRunRow(sampleResult({ task_config }), meta).agent_config, null, "of another writer");
});
