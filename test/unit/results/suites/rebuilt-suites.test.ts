import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { rebuildSummary } from "../../../../src/results/rebuild.ts";
import { copyOfRun } from "../fixtures.ts";

const rebuild = async (path: string) => {
  const { summary, suites } = await rebuildSummary(path, { version: "0.1.0" });
  return { summary, suiteOf: (id: string) => suites.find((suite) => suite.suite_id === id) };
};

test("a row whose task.json cannot be read stays in its suite, as an error and a miss", async () => {
  using run = copyOfRun("dataset");
  writeFileSync(join(run.path, "default/sentiment-gate/r1/00/task.json"), "{broken");
  const { summary, suiteOf } = await rebuild(run.path);
  assert.equal(summary.tasks_error, 2);
  const rollup = suiteOf("sentiment-gate");
  assert.deepEqual([rollup?.rows_total, rollup?.rows_passed, rollup?.rows_error, rollup?.pass_rate], [4, 3, 1, 0.75]);
  const [aggregate] = rollup?.criterion_aggregates ?? [];
  assert.deepEqual([aggregate?.rows_excluded, aggregate?.metrics.accuracy, aggregate?.metrics_graded?.accuracy], [1, 0.5, 2 / 3]);
  assert.deepEqual(
    rollup?.failed_samples.map(({ row_id, final_status }) => [row_id, final_status]),
    [["r1", "ERROR"]],
  );
});

test("a row whose task.json is gone was not run, as far as anybody knows: its suite is open, not passed", async () => {
  using run = copyOfRun("dataset");
  rmSync(join(run.path, "default/row-errors/good-1"), { recursive: true });
  const rollup = (await rebuild(run.path)).suiteOf("row-errors");
  assert.deepEqual([rollup?.rows_total, rollup?.rows_not_run, rollup?.passed], [3, 1, false]);
});

test("a plan.json of ours tells of rows of a suite that has no result at all", async () => {
  using run = copyOfRun("dataset-sample");
  rmSync(join(run.path, "run.json"));
  const row = (task_id: string, suite_id?: string) => ({
    task_id,
    variant_id: "default",
    replicate_index: 0,
    tags: [],
    task_path: null,
    suite_id,
  });
  const tasks = [
    row("no/suite"),
    row("lost/a", "lost"),
    row("lost/b", "lost"),
    row("sentiment/r7", "sentiment"),
    row("sentiment/x", "sentiment"),
  ];
  writeFileSync(join(run.path, "plan.json"), JSON.stringify({ tasks }));
  const { summary, suiteOf } = await rebuild(run.path);
  assert.equal(summary.tasks_not_run, 4);
  assert.deepEqual(
    summary.suites.map(({ suite_id, rows_total, rows_not_run, checks }) => [suite_id, rows_total, rows_not_run, checks]),
    [
      ["lost", 2, 2, 0],
      // Two more rows have results, and the plan does not have them.
      ["sentiment", 2, 1, 5],
    ],
  );
  assert.deepEqual(suiteOf("lost")?.criterion_aggregates, []);
  assert.equal(
    summary.verdict_reasons.some((reason) => reason.includes("suite lost")),
    false,
  );
});

test("a task with a slash in its id that is no row of a known suite is in none", async () => {
  using run = copyOfRun("dataset-sample");
  const tasks = ["other/x", "sentiment/r7"].map((task_id) => ({
    task_id,
    variant_id: "default",
    replicate_index: 0,
    tags: [],
    task_path: null,
  }));
  writeFileSync(join(run.path, "plan.json"), JSON.stringify({ tasks }));
  assert.deepEqual(
    (await rebuild(run.path)).summary.suites.map(({ suite_id }) => suite_id),
    ["sentiment"],
  );
});

test("rows keep the order of the old run.json: the first one names the criterion", async () => {
  using run = copyOfRun("dataset-sample");
  const rollup = (await rebuild(run.path)).suiteOf("sentiment");
  assert.equal(rollup?.criterion_aggregates[0]?.description, "label of r7 (Superb)");
  assert.deepEqual(
    rollup?.failed_samples.map(({ row_id }) => row_id),
    ["r7", "r8"],
  );
});
