import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { categoryOf, finalStatuses, isFinalStatus } from "../../../src/results/final-status.ts";
import { runJsonChunks } from "../../../src/results/run-json.ts";
import { type RunRow, runRowSchema } from "../../../src/results/run-row.ts";
import { bucketProblem, buildRunSummary, type RunFacts } from "../../../src/results/run-summary.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { countForRate, crashedPartials, mean, passRate, runCost, sum } from "../../../src/results/statistics.ts";
import { fixtureRuns } from "./fixtures.ts";

function row(overrides: Partial<RunRow> = {}): RunRow {
  return { ...runRowSchema.parse({ task_id: "t", status: "SUCCESS" }), ...overrides };
}

function facts(overrides: Partial<RunFacts> = {}): RunFacts {
  const startTime = new Date("2026-07-07T10:00:00Z");
  return {
    runId: "run",
    startTime,
    endTime: new Date(startTime.getTime() + 1500),
    rows: [row()],
    skippedTasks: [],
    notRun: [],
    maxParallel: 2,
    frameworkVersion: "0.1.0",
    environmentInfo: {},
    interrupted: false,
    ...overrides,
  };
}

const notRun = { task_id: "n", variant_id: "default", replicate_index: 0, reason: "cancelled" };

test("statuses fall into the categories of formats.md 5.2", () => {
  const byCategory = Object.groupBy(finalStatuses, categoryOf);
  assert.deepEqual(
    { ...byCategory },
    {
      succeeded: ["SUCCESS"],
      failed: ["FAILURE", "TIMEOUT", "MAX_TURNS_EXHAUSTED", "TOKEN_BUDGET_EXCEEDED", "COST_BUDGET_EXCEEDED"],
      error: ["ERROR", "BUILD_FAILED"],
      ungraded: ["NOT_GRADED"],
    },
  );
  assert.equal(isFinalStatus("toString"), false);
});

test("the numbers of a run are those that 0.12.16 computes from the same rows", () => {
  const written = JSON.parse(readFileSync(join(fixtureRuns, "mixed-0.12.16/run.json"), "utf8"));
  const read = runSummarySchema.parse(written);
  const { start_time: start, end_time: end } = read;
  const built: Record<string, unknown> = {
    ...buildRunSummary(
      facts({ rows: read.task_results, skippedTasks: read.skipped_tasks, startTime: new Date(start), endTime: new Date(end) }),
    ),
  };
  const numbers = Object.keys(written).filter((key) => /^tasks_|pass_rate|error_share|cost/.test(key));
  assert.ok(numbers.length > 12);
  for (const key of numbers.filter((key) => key !== "task_results")) assert.deepEqual(built[key], written[key], key);
  const ours = new Set([
    "evalbatch_version",
    "verdict",
    "verdict_reasons",
    "tasks_planned",
    "tasks_not_run",
    "not_run",
    "interrupted",
    "unreadable",
    "warnings",
    "gate",
    "redactions",
    "suites",
    "experiment",
    "selection",
    "resume",
    "drift",
    "set_aside",
    "tasks_passed_on_retry",
    "pass_rate_interval",
    "pass_rate_planned",
    "pass_rate_without_errors",
  ]);
  assert.deepEqual(
    Object.keys(built).filter((key) => !ours.has(key)),
    Object.keys(written),
  );
});

test("errors count as misses: they never raise the pass rate", () => {
  const rows = [
    row(),
    row({ status: "ERROR" }),
    row({ status: "BUILD_FAILED" }),
    row({ status: "FAILURE" }),
    row({ status: "NOT_GRADED" }),
  ];
  assert.equal(passRate(countForRate(rows)), 0.25);
  assert.equal(passRate(countForRate([])), undefined);
});

test("buckets add up for any rows: planned is run and not run, run is the sum of the categories", () => {
  const anyRow = fc
    .record({
      status: fc.constantFrom(...finalStatuses),
      weighted_score: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    })
    .map((overrides) => row(overrides));
  fc.assert(
    fc.property(fc.array(anyRow), fc.nat(5), (rows, missing) => {
      const summary = buildRunSummary(facts({ rows, notRun: Array.from({ length: missing }, () => notRun) }));
      assert.equal(summary.tasks_planned, rows.length + missing);
      assert.equal(summary.tasks_succeeded + summary.tasks_failed + summary.tasks_error + summary.tasks_not_graded, summary.tasks_run);
      assert.equal(bucketProblem(summary), undefined);
      assert.ok(summary.tasks_token_budget_exceeded + summary.tasks_cost_budget_exceeded <= summary.tasks_failed);
    }),
  );
});

test("a summary that does not add up is found out", () => {
  const summary = buildRunSummary(facts({ rows: [row(), row({ status: "FAILURE" })] }));
  assert.match(bucketProblem({ ...summary, tasks_failed: 0 }) ?? "", /1 tasks in the categories, 2 in tasks_run/);
  assert.match(bucketProblem({ ...summary, tasks_failed: 0, tasks_succeeded: 2 }) ?? "", /1 rows succeeded/);
  assert.match(bucketProblem({ ...summary, task_results: [row()] }) ?? "", /1 rows/);
  assert.match(bucketProblem({ ...summary, tasks_planned: 3 }) ?? "", /3 in tasks_planned/);
});

test("the verdict is passed only when everything ran, was graded and succeeded", () => {
  const verdictOf = (overrides: Partial<RunFacts>) => buildRunSummary(facts(overrides)).verdict;
  assert.equal(verdictOf({}), "passed");
  assert.equal(verdictOf({ rows: [] }), "empty");
  assert.equal(verdictOf({ rows: [row(), row({ status: "FAILURE" })] }), "failed");
  assert.equal(verdictOf({ rows: [row(), row({ status: "ERROR" })] }), "failed");
  assert.equal(verdictOf({ rows: [row({ status: "NOT_GRADED" })] }), "incomplete");
  assert.equal(verdictOf({ notRun: [notRun] }), "incomplete");
  assert.equal(verdictOf({ interrupted: true }), "incomplete");
  assert.equal(verdictOf({ interrupted: true, rows: [row({ status: "TIMEOUT" })] }), "failed");
  assert.equal(verdictOf({ skippedTasks: [{ path: "a.yaml", reason: "skip: true", kind: "skip" }] }), "passed");
  assert.equal(verdictOf({ skippedTasks: [{ path: "a.yaml", reason: "bad", kind: "invalid" }] }), "failed");
  assert.equal(verdictOf({ unreadable: [{ path: "a/task.json", reason: "empty" }] }), "failed");
});

test("the reasons of a verdict name each thing that is in its way", () => {
  const { verdict_reasons } = buildRunSummary(facts({ rows: [row({ status: "ERROR" })], notRun: [notRun, notRun], interrupted: true }));
  assert.deepEqual(verdict_reasons, ["the only task that ran ended in an error", "2 tasks were not run", "the run was interrupted"]);
});

test("costs are unknown, not zero, when no row has a price", () => {
  assert.deepEqual(runCost([row(), row({ cost_complete: false })]), {
    incomplete: 1,
    agent: undefined,
    overhead: undefined,
    total: undefined,
  });
});

test("sums and means leave out what is no finite number", () => {
  assert.equal(sum([1, null, Number.NaN, undefined, 2, Number.POSITIVE_INFINITY]), 3);
  assert.equal(mean([null, Number.NaN]), undefined);
  assert.equal(mean([0, null, 1]), 0.5);
});

test("a crashed partial is recovered when the same turn came through later", () => {
  const turn = { duration_seconds: 1, command_count: 0, assistant_turn_count: 1, crash_reason: null };
  const recovered = row({
    iterations: [
      { ...turn, iteration: 1, crashed: true },
      { ...turn, iteration: 1, crashed: false },
    ],
  });
  const lost = row({
    iterations: [
      { ...turn, iteration: 1, crashed: false },
      { ...turn, iteration: 2, crashed: true },
    ],
  });
  assert.deepEqual(crashedPartials([recovered, lost]), { total: 2, recovered: 1, terminal: 1 });
});

test("run.json in pieces is the same text as in one, for any number of rows", () => {
  for (const count of [0, 1, 499, 500, 501, 1200]) {
    const rows = Array.from({ length: count }, (_, index) => row({ task_id: `t${index}`, error_message: 'line\n"  }' }));
    const summary = buildRunSummary(facts({ rows }));
    assert.equal([...runJsonChunks(summary)].join(""), JSON.stringify(summary, null, 2));
  }
});

test("run.json of 0.8.2, which has no computed number, is readable", () => {
  const read = runSummarySchema.parse(JSON.parse(readFileSync(join(fixtureRuns, "mixed/run.json"), "utf8")));
  assert.equal(read.pass_rate, null);
  assert.equal(read.tasks_planned, null);
  assert.equal(bucketProblem(read), undefined);
});
