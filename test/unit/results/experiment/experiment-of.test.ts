import assert from "node:assert/strict";
import test from "node:test";
import { factsOfExperimentFile, recordExperiment } from "../../../../src/results/experiment/experiment-facts.ts";
import { experimentOf, hasReplicates, hasVariants, isExperiment } from "../../../../src/results/experiment/experiment-of.ts";
import { differingTasks, flakyTasks } from "../../../../src/results/experiment/task-figures.ts";
import { type RunRow, runRowSchema } from "../../../../src/results/run-row.ts";
import { buildRunSummary, type RunFacts } from "../../../../src/results/run-summary.ts";
import type { RunSummary } from "../../../../src/results/run-summary-schema.ts";

function row(task: string, variant: string, replicate: number, status: RunRow["status"] = "SUCCESS", score = 1): RunRow {
  return runRowSchema.parse({ task_id: task, variant_id: variant, replicate_index: replicate, status, weighted_score: score });
}

function summaryOf(rows: readonly RunRow[], overrides: Partial<RunFacts> = {}): RunSummary {
  const time = new Date("2026-07-07T10:00:00Z");
  const run = { runId: "r", startTime: time, endTime: time, rows, skippedTasks: [], notRun: [], maxParallel: 1, frameworkVersion: "x" };
  return buildRunSummary({ ...run, environmentInfo: {}, interrupted: false, ...overrides });
}

const ab = {
  id: "ab",
  description: "d",
  file: "ab.yaml",
  variants: ["b", "a"].map((id) => ({ id, description: "", prompt: null })),
};

test("a run is an experiment with a file, several variants or several replicates, also of what was not run", () => {
  const plain = summaryOf([row("t", "default", 0)]);
  assert.deepEqual([isExperiment(plain), hasVariants(plain), hasReplicates(plain)], [false, false, false]);
  const one = { ...ab, variants: ab.variants.slice(0, 1) };
  assert.deepEqual(
    [isExperiment(summaryOf([row("t", "b", 0)], { experiment: one })), hasVariants(summaryOf([row("t", "b", 0)], { experiment: one }))],
    [true, false],
  );
  assert.equal(hasVariants(summaryOf([row("t", "a", 0), row("t", "b", 0)])), true);
  assert.equal(hasReplicates(summaryOf([row("t", "a", 1)])), true);
  const notRun = [{ task_id: "t", variant_id: "default", replicate_index: 1, reason: "cancelled" }];
  const cut = summaryOf([row("t", "default", 0)], { notRun });
  assert.deepEqual([isExperiment(cut), hasReplicates(cut)], [true, true]);
});

test("variants stand in the order of the experiment, those that nothing is known of behind them", () => {
  const result = experimentOf(summaryOf([row("t", "x", 0), row("t", "a", 0)], { experiment: ab })).result;
  assert.deepEqual(result.variant_ids, ["b", "a", "x"]);
  assert.deepEqual([result.experiment_id, result.description], ["ab", "d"]);
});

test("a run without an experiment file is of the experiment default", () => {
  const { result } = experimentOf(summaryOf([row("t", "default", 0), row("t", "default", 1)]));
  assert.deepEqual([result.experiment_id, result.description, result.variant_ids], ["default", "", ["default"]]);
});

test("the shape of a run counts what was not run, and says whether it is even", () => {
  const rows = ["t", "u"].flatMap((task) => ["a", "b"].flatMap((variant) => [0, 1, 2].map((index) => row(task, variant, index))));
  assert.deepEqual(experimentOf(summaryOf(rows)).shape, { tasks: 2, variants: 2, replicates: 3, even: true });
  const notRun = rows
    .slice(6)
    .map(({ task_id, replicate_index }) => ({ task_id, variant_id: "b", replicate_index: replicate_index ?? 0, reason: "cancelled" }));
  assert.equal(experimentOf(summaryOf(rows.slice(0, 6), { notRun })).shape.tasks, 2);
  assert.equal(experimentOf(summaryOf(rows.slice(1))).shape.even, false);
});

test("tasks in which variants differ come with the largest spread first, of the share passed or of the score", () => {
  const rows = [
    row("same", "a", 0),
    row("same", "b", 0),
    row("little", "a", 0, "SUCCESS", 1),
    row("little", "b", 0, "SUCCESS", 0.9),
    row("budget", "a", 0, "SUCCESS", 1),
    row("budget", "b", 0, "TOKEN_BUDGET_EXCEEDED", 1),
    row("half", "a", 0, "FAILURE", 0.2),
    row("half", "b", 0, "FAILURE", 0.7),
    row("alone", "a", 0),
  ];
  const tasks = differingTasks(experimentOf(summaryOf(rows)).tasks);
  assert.deepEqual(
    tasks.map((task) => task.taskId),
    ["budget", "half", "little"],
  );
});

test("a task is flaky where it is so in one variant", () => {
  const rows = [
    row("t", "a", 0),
    row("t", "a", 1),
    row("t", "b", 0),
    row("t", "b", 1, "FAILURE", 0),
    row("u", "a", 0, "FAILURE", 0),
    row("u", "a", 1, "ERROR", 0),
  ];
  const { tasks } = experimentOf(summaryOf(rows));
  assert.deepEqual(
    flakyTasks(tasks).map((task) => task.taskId),
    ["t"],
  );
  assert.deepEqual(
    tasks[0]?.cells.map((cell) => cell && [cell.passed, cell.graded, cell.flaky]),
    [
      [2, 2, false],
      [1, 2, true],
    ],
  );
});

test("the built-in experiment is not recorded; of another one the secrets are hidden, but not the ids", () => {
  const planned = {
    experimentId: "s3cret",
    description: "uses s3cret",
    file: "s3cret.yaml",
    variants: [{ variantId: "s3cret", description: "s3cret", prompt: "base prompt" }],
  };
  const hide = (text: string): string => text.replaceAll("s3cret", "***");
  assert.equal(recordExperiment({ ...planned, file: null }, hide), null);
  assert.deepEqual(recordExperiment(planned, hide), {
    id: "s3cret",
    description: "uses ***",
    file: "***.yaml",
    variants: [{ id: "s3cret", description: "***", prompt: "base prompt" }],
  });
});

test("an experiment.json of any form gives what it tells, or nothing", () => {
  assert.deepEqual(factsOfExperimentFile({ experiment_id: "e", description: 3, variant_ids: ["a", 1] }), {
    id: "e",
    description: "",
    file: null,
    variants: [{ id: "a", description: "", prompt: null }],
  });
  for (const value of [undefined, null, [], "e", { experiment_id: 3 }, { experiment_id: "default", variant_ids: ["default"] }])
    assert.equal(factsOfExperimentFile(value), undefined);
});
