import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { buildExperimentResult } from "../../../../src/results/experiment/build-experiment.ts";
import type { ExperimentResult } from "../../../../src/results/experiment/experiment-schema.ts";
import { finalStatuses } from "../../../../src/results/final-status.ts";
import { type RunRow, runRowSchema } from "../../../../src/results/run-row.ts";
import type { NotRun } from "../../../../src/results/run-summary-schema.ts";

// Each rule of formats.md 3.6, and what is ours.

function row(overrides: Partial<RunRow> = {}): RunRow {
  const plain = {
    task_id: "t",
    variant_id: "a",
    replicate_index: 0,
    status: "SUCCESS",
    weighted_score: 1,
    duration: 2,
    iteration_count: 1,
  };
  return runRowSchema.parse({ ...plain, ...overrides });
}

function experiment(rows: readonly RunRow[], variantIds: readonly string[] = ["a", "b"], notRun: readonly NotRun[] = []): ExperimentResult {
  return buildExperimentResult({ experimentId: "e", description: "d", variantIds, rows, notRun, durationSeconds: 3 });
}

const replicates = (...of: Partial<RunRow>[]): RunRow[] => of.map((part, index) => row({ replicate_index: index, ...part }));
const resultOf = (...of: Partial<RunRow>[]) => experiment(replicates(...of)).task_summaries[0]?.variant_results[0];

test("a score is the mean over replicates, where none counts as 0", () => {
  assert.equal(resultOf({ weighted_score: 1 }, { weighted_score: 0.5 })?.weighted_score, 0.75);
  assert.equal(resultOf({ weighted_score: 1 }, { status: "ERROR", weighted_score: null })?.weighted_score, 0.5);
});

test("what was not graded has no score, and is not 0", () => {
  assert.equal(resultOf({ status: "NOT_GRADED", weighted_score: null })?.weighted_score, null);
  assert.equal(resultOf({ weighted_score: 1 }, { status: "NOT_GRADED", weighted_score: null })?.weighted_score, 1);
});

test("the status is the first of the worst category: errors, then failures, then what was not graded", () => {
  assert.equal(resultOf({}, { status: "TIMEOUT" }, { status: "FAILURE" })?.final_status, "TIMEOUT");
  assert.equal(resultOf({ status: "FAILURE" }, { status: "BUILD_FAILED" }, { status: "ERROR" })?.final_status, "BUILD_FAILED");
  assert.equal(resultOf({}, { status: "NOT_GRADED" })?.final_status, "NOT_GRADED");
  assert.equal(resultOf({}, {})?.final_status, "SUCCESS");
});

test("replicates are taken in their order, whatever that of the rows", () => {
  const rows = [
    row({ replicate_index: 2, status: "FAILURE", weighted_score: 0.2 }),
    row({ replicate_index: 0, status: "TIMEOUT", weighted_score: 0 }),
  ];
  const result = experiment(rows);
  assert.equal(result.task_summaries[0]?.variant_results[0]?.final_status, "TIMEOUT");
  assert.deepEqual(result.per_replicate_scores.a?.t, [0, 0.2]);
});

test("the duration is the sum of the replicates that did not end in an error", () => {
  assert.equal(resultOf({ duration: 2 }, { duration: 3, status: "ERROR" }, { duration: 4, status: "FAILURE" })?.duration_seconds, 6);
  assert.equal(resultOf({ duration: null })?.duration_seconds, 0);
});

test("tokens are summed, and unknown where no replicate knows them", () => {
  assert.equal(resultOf({ total_tokens: 5 }, { total_tokens: null })?.total_tokens, 5);
  assert.equal(resultOf({}, {})?.total_tokens, null);
});

test("counts of turns are means that Python rounds: halves to the even number", () => {
  assert.equal(resultOf({ iteration_count: 2 }, { iteration_count: 3 })?.iteration_count, 2);
  assert.equal(resultOf({ iteration_count: 3 }, { iteration_count: 4 })?.iteration_count, 4);
  const turns = (count: number) => [
    { iteration: 1, duration_seconds: 1, command_count: 0, assistant_turn_count: count, crashed: false, crash_reason: null },
  ];
  assert.equal(resultOf({ iterations: turns(1) }, { iterations: turns(2) })?.total_assistant_turns, 2);
  assert.equal(resultOf({ iterations: turns(0) }, { iterations: [] })?.total_assistant_turns, 0);
  assert.equal(resultOf({ iterations: [] })?.total_assistant_turns, null);
});

test("the similarity is the mean of those that there are", () => {
  assert.equal(resultOf({ reference_similarity: 0.5 }, { reference_similarity: 1 }, {})?.reference_similarity, 0.75);
  assert.equal(resultOf({})?.reference_similarity, null);
});

test("of equal best scores the greatest variant is named, and it is a tie", () => {
  const both = experiment([row({ variant_id: "a" }), row({ variant_id: "b" })]).task_summaries[0];
  assert.deepEqual([both?.best_variant, both?.is_tie, both?.score_spread], ["b", true, 0]);
  const one = experiment([row({ variant_id: "a" }), row({ variant_id: "b", weighted_score: 0.25 })]).task_summaries[0];
  assert.deepEqual([one?.best_variant, one?.is_tie, one?.score_spread], ["a", false, 0.75]);
  const late = experiment([row({ variant_id: "\u{1f600}" }), row({ variant_id: "\uffff" })], []).task_summaries[0];
  assert.equal(late?.best_variant, "\u{1f600}", "by code point, as Python compares");
});

test("a task's number of replicates is the least of its variants", () => {
  const rows = [...replicates({}, {}, {}), row({ variant_id: "b" }), row({ variant_id: "b", replicate_index: 1 })];
  assert.equal(experiment(rows).task_summaries[0]?.replicate_count, 2);
});

test("tasks and variants keep their order, and a variant without results has zeros", () => {
  const result = experiment([row({ task_id: "z", variant_id: "b" }), row({ task_id: "c", variant_id: "b" })], ["q", "b"]);
  assert.deepEqual(result.variant_ids, ["q", "b"]);
  assert.deepEqual(
    result.task_summaries.map((task) => task.task_id),
    ["z", "c"],
  );
  const empty = result.variant_aggregates.q;
  assert.deepEqual([empty?.tasks_run, empty?.average_score, empty?.average_duration, empty?.replicate_count], [0, 0, 0, 1]);
  assert.deepEqual([empty?.pass_rate, empty?.error_share], [null, null]);
  assert.deepEqual(result.per_replicate_scores.q, {});
});

test("a variant of which nobody told is one all the same", () => {
  assert.deepEqual(experiment([row({ variant_id: "x" })], ["a"]).variant_ids, ["a", "x"]);
  assert.deepEqual(experiment([row({ variant_id: null })], []).variant_ids, ["default"]);
});

test("a variant counts its tasks, not their replicates, and errors are misses in its rate", () => {
  const rows = [
    ...replicates({}, { status: "FAILURE", weighted_score: 0 }),
    row({ task_id: "u", status: "ERROR", weighted_score: 0, duration: 8 }),
    row({ task_id: "v" }),
    row({ task_id: "w", status: "TOKEN_BUDGET_EXCEEDED", weighted_score: 0 }),
    row({ task_id: "x", status: "NOT_GRADED", weighted_score: null }),
  ];
  const of = experiment(rows).variant_aggregates.a;
  assert.deepEqual([of?.tasks_run, of?.tasks_succeeded, of?.tasks_failed, of?.tasks_error, of?.tasks_not_graded], [5, 1, 2, 1, 1]);
  assert.deepEqual([of?.tasks_token_budget_exceeded, of?.tasks_cost_budget_exceeded], [1, 0]);
  assert.deepEqual([of?.pass_rate, of?.error_share, of?.tasks_graded, of?.tasks_measured], [0.25, 0.25, 4, 4]);
  assert.equal(of?.average_score, 0.375);
  assert.equal(of?.average_duration, (2 + 0 + 2 + 2 + 2) / 5);
  assert.equal(of?.replicate_count, 2, "of its first task");
});

test("by attempts, a variant counts every replicate, and what was not run beside them", () => {
  const rows = [
    ...replicates({}, { status: "FAILURE" }, { status: "ERROR" }),
    row({ task_id: "u", status: "NOT_GRADED", weighted_score: null }),
  ];
  const notRun = [{ task_id: "u", variant_id: "a", replicate_index: 1, reason: "cancelled" }];
  const figures = experiment(rows, ["a", "b"], notRun).evalbatch.variants[0];
  assert.deepEqual([figures?.run, figures?.passed, figures?.graded, figures?.errors, figures?.not_run], [4, 1, 3, 1, 1]);
  assert.equal(figures?.pass_rate, 1 / 3);
  assert.ok((figures?.pass_rate_low ?? 1) < 1 / 3 && (figures?.pass_rate_high ?? 0) > 1 / 3);
  assert.equal(figures?.tasks_flaky, 1);
});

test("a task is flaky where some of its graded replicates passed and some did not", () => {
  const flaky = (...statuses: RunRow["status"][]): number | undefined =>
    experiment(replicates(...statuses.map((status) => ({ status })))).evalbatch.variants[0]?.tasks_flaky;
  assert.equal(flaky("SUCCESS", "FAILURE"), 1);
  assert.equal(flaky("SUCCESS", "ERROR"), 1);
  assert.equal(flaky("SUCCESS", "SUCCESS"), 0);
  assert.equal(flaky("FAILURE", "ERROR"), 0);
  assert.equal(flaky("SUCCESS", "NOT_GRADED"), 0);
  assert.equal(flaky("SUCCESS"), 0);
});

test("ids that are names of JavaScript's own are ids like any other", () => {
  const ids = ["__proto__", "constructor", "toString"];
  const rows = ids.flatMap((variant_id) => ids.map((task_id) => row({ variant_id, task_id })));
  const written: unknown = JSON.parse(JSON.stringify(experiment(rows, ids)));
  const result = experiment(rows, ids);
  for (const id of ids) {
    assert.equal(result.variant_aggregates[id]?.tasks_run, 3);
    assert.deepEqual(Object.keys(result.per_replicate_scores[id] ?? {}), ids);
  }
  assert.deepEqual(Object.keys(result.variant_aggregates), ids);
  assert.ok(JSON.stringify(written).includes('"__proto__":{"variant_id":"__proto__"'));
});

test("whatever the rows are, the counts of every variant add up", () => {
  const anyRow = fc.record({
    task_id: fc.constantFrom("t", "u", "v"),
    variant_id: fc.constantFrom("a", "b", null),
    replicate_index: fc.nat({ max: 3 }),
    status: fc.constantFrom(...finalStatuses),
    weighted_score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(anyRow, { selector: ({ task_id, variant_id, replicate_index }) => `${task_id} ${variant_id} ${replicate_index}` }),
      (parts) => {
        const rows = parts.map((part) => row(part));
        const result = experiment(rows);
        const figures = result.evalbatch.variants;
        assert.equal(
          figures.reduce((sum, of) => sum + of.run, 0),
          rows.length,
        );
        for (const of of Object.values(result.variant_aggregates)) {
          assert.equal(of.tasks_succeeded + of.tasks_failed + of.tasks_error + of.tasks_not_graded, of.tasks_run);
        }
        for (const of of figures) assert.ok(of.passed + of.errors <= of.graded && of.graded <= of.run);
        for (const task of result.task_summaries) assert.ok(task.score_spread >= 0 && task.score_spread <= 1);
      },
    ),
  );
});
