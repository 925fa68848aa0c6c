import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { type GatePolicy, strictGate } from "../../../src/results/gate.ts";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import { openResultStore } from "../../../src/results/store.ts";
import { copyOfRun, sampleResult, temporaryDirectory } from "./fixtures.ts";

const deps = { version: "0.1.0" };

async function rebuild(runDir: string): Promise<RunSummary> {
  return (await rebuildSummary(runDir, deps)).summary;
}

function statusOf(summary: RunSummary, taskId: string): string[] {
  return summary.task_results.filter((row) => row.task_id === taskId).map((row) => row.status);
}

test("a whole run is rebuilt to the rows that its run.json has, in their order, with tags and paths", async () => {
  for (const name of ["all-pass", "mixed", "mixed-0.12.16"]) {
    using run = copyOfRun(name);
    const written = JSON.parse(readFileSync(join(run.path, "run.json"), "utf8"));
    const summary = await rebuild(run.path);
    const pick = (rows: Record<string, unknown>[]) =>
      rows.map(({ task_id, status, tags, task_path, weighted_score, duration }) => ({
        task_id,
        status,
        tags,
        task_path,
        weighted_score,
        duration,
      }));
    assert.deepEqual(pick(summary.task_results), pick(written.task_results));
    assert.deepEqual(
      summary.skipped_tasks.map(({ path, reason }) => ({ path, reason })),
      written.skipped_tasks,
    );
    for (const key of ["tasks_run", "tasks_succeeded", "tasks_failed", "tasks_error", "max_parallel", "framework_version"] as const)
      assert.equal(summary[key], written[key], key);
    assert.equal(summary.total_duration_seconds.toFixed(2), Number(written.total_duration_seconds).toFixed(2));
    assert.equal(summary.tasks_not_run, 0);
  }
});

test("a damaged run keeps a row for each result that cannot be read, so that its rate does not rise", async () => {
  using run = copyOfRun("damaged");
  const summary = await rebuild(run.path);
  assert.equal(summary.tasks_succeeded, 6);
  assert.equal(summary.tasks_error, 5);
  assert.equal(summary.pass_rate, 6 / 11);
  assert.equal(summary.verdict, "failed");
  assert.deepEqual(statusOf(summary, "zero-weight-fails"), ["ERROR"]);
  const broken = summary.task_results.find((row) => row.task_id === "low-score");
  assert.equal(broken?.error_category, "unreadable_result");
  assert.deepEqual(broken?.tags, ["smoke", "area:files"]);
  assert.match(broken?.error_message ?? "", /final_status "SOMETHING_NEW" is unknown/);
});

test("the same row in two places counts once, from the place that its content names", async () => {
  using run = copyOfRun("damaged");
  const summary = await rebuild(run.path);
  assert.deepEqual(statusOf(summary, "passes"), ["SUCCESS"]);
  assert.equal(summary.task_results.find((row) => row.task_id === "passes")?.result_dir, "default/passes/00");
  assert.deepEqual(summary.unreadable.at(-1), {
    path: "default/passes-copy/00/task.json",
    reason: "the same row stands in default/passes/00/task.json",
  });
  assert.deepEqual(statusOf(summary, "passes-copy"), []);
});

test("malformed entries of the old run.json and nested runs are told, not dropped in silence", async () => {
  using run = copyOfRun("damaged");
  const { warnings, skipped_tasks } = await rebuild(run.path);
  assert.equal(skipped_tasks.length, 1);
  assert.equal(warnings.filter((warning) => warning.includes("skipped_tasks[")).length, 2);
  assert.ok(warnings.some((warning) => warning.startsWith("nested/shard-2 is a run of its own")));
});

async function killedRun(root: string, gate: GatePolicy = strictGate): Promise<void> {
  const store = await openResultStore(root, { now: () => new Date(0) });
  const rows = ["one", "two", "three"].map((task_id) => ({
    task_id,
    variant_id: "default",
    replicate_index: 0,
    tags: ["smoke"],
    task_path: `tasks/${task_id}.yaml`,
  }));
  const skippedTasks = [{ path: "bad.yaml", reason: "broken", kind: "invalid" as const }];
  await store.writePlan({
    startTime: new Date("2026-07-07T10:00:00Z"),
    maxParallel: 4,
    frameworkVersion: "0.1.0",
    evalbatchVersion: "0.1.0",
    environmentInfo: { node: "24" },
    gate,
    skippedTasks,
    rows,
  });
  const result = sampleResult({ task_id: "two", started_at: "2026-07-07T10:00:01.000Z", completed_at: "2026-07-07T10:00:31.000Z" });
  await store.writeTaskResult(store.resultDir({ variantId: "default", taskId: "two", replicateIndex: 0 }), result);
}

test("a run that was killed before run.json is rebuilt from its plan: planned is run and not run", async () => {
  using root = temporaryDirectory();
  await killedRun(root.path);
  const summary = await rebuild(root.path);
  assert.equal(summary.tasks_planned, 3);
  assert.deepEqual(
    summary.not_run.map(({ task_id, reason }) => [task_id, reason]),
    [
      ["one", "no result found"],
      ["three", "no result found"],
    ],
  );
  assert.equal(summary.start_time, "2026-07-07T10:00:00.000Z");
  assert.equal(summary.end_time, "2026-07-07T10:00:31.000Z");
  assert.equal(summary.max_parallel, 4);
  assert.deepEqual(summary.skipped_tasks, [{ path: "bad.yaml", reason: "broken", kind: "invalid" }]);
  assert.deepEqual(summary.task_results[0]?.tags, ["smoke"]);
  assert.equal(summary.verdict, "failed");
});

test("a killed run is judged by the policy that its plan has", async () => {
  using root = temporaryDirectory();
  const policy = { fail_on: "never", min_pass_rate: 0.5, min_task_score: null, allow_empty: true };
  await killedRun(root.path, { failOn: "never", minPassRate: 0.5, minTaskScore: undefined, allowEmpty: true });
  const { gate, verdict } = await rebuild(root.path);
  const against = ["1 task file could not be loaded", "2 tasks were not run"];
  assert.deepEqual(gate, { ...policy, passes: true, reasons: [], tolerated: against });
  assert.equal(verdict, "failed");
});

test("a run without run.json was interrupted when it is known that nobody writes it any more", async () => {
  using root = temporaryDirectory();
  await killedRun(root.path, { ...strictGate, failOn: "never" });
  assert.equal((await rebuild(root.path)).interrupted, false);
  const { summary } = await rebuildSummary(root.path, { ...deps, unfinished: "interrupted" });
  assert.equal(summary.interrupted, true);
  assert.deepEqual(summary.gate?.reasons, ["the run was interrupted"]);
  using whole = copyOfRun("all-pass");
  assert.equal((await rebuildSummary(whole.path, { ...deps, unfinished: "interrupted" })).summary.interrupted, false);
});

test("the policy of the old run.json stays where there is no plan; a broken one makes the verdict strict", async () => {
  using run = copyOfRun("mixed");
  const path = join(run.path, "run.json");
  const written = JSON.parse(readFileSync(path, "utf8"));
  assert.equal((await rebuild(run.path)).gate, null);
  const gate = {
    fail_on: "error",
    min_pass_rate: 0.25,
    min_task_score: null,
    allow_empty: false,
    passes: true,
    reasons: [],
    tolerated: [],
  };
  writeFileSync(path, JSON.stringify({ ...written, gate, redactions: 7 }));
  const summary = await rebuild(run.path);
  assert.equal(summary.gate?.fail_on, "error");
  assert.equal(summary.gate?.min_pass_rate, 0.25);
  assert.equal(summary.redactions, 7);
  for (const broken of [{ ...gate, min_pass_rate: "0.25" }, { ...gate, min_task_score: -1 }, { ...gate, fail_on: "sometimes" }, 7]) {
    writeFileSync(path, JSON.stringify({ ...written, gate: broken }));
    const judged = await rebuild(run.path);
    assert.equal(judged.gate, null);
    assert.equal(judged.verdict, "failed");
  }
});

test("an error that stands in run.json only stays; another row whose file is gone counts as not run", async () => {
  using run = copyOfRun("mixed");
  rmSync(join(run.path, "default/docker-no-image"), { recursive: true });
  rmSync(join(run.path, "default/passes"), { recursive: true });
  const summary = await rebuild(run.path);
  assert.deepEqual(statusOf(summary, "docker-no-image"), ["ERROR"]);
  assert.deepEqual(summary.not_run, [{ task_id: "passes", variant_id: "default", replicate_index: 0, reason: "its task.json is gone" }]);
  assert.equal(summary.tasks_planned, 22);
  assert.equal(summary.verdict, "failed");
});

test("a rebuild of a rebuild changes nothing", async () => {
  using run = copyOfRun("damaged");
  const store = await openResultStore(run.path, { now: () => new Date(0) });
  const first = await rebuild(run.path);
  await store.writeRun({ ...first, warnings: [] });
  const second = await rebuild(run.path);
  const { warnings: _first, ...before } = first;
  const { warnings: _second, ...after } = second;
  assert.deepEqual(JSON.parse(JSON.stringify(after)), JSON.parse(JSON.stringify(before)));
});

test("a broken run.json is left out of account and reported as such", async () => {
  using run = copyOfRun("all-pass");
  writeFileSync(join(run.path, "run.json"), '{"run_id": "x", ');
  const { summary, brokenRunJson } = await rebuildSummary(run.path, deps);
  assert.equal(brokenRunJson, true);
  assert.equal(summary.tasks_succeeded, 3);
  assert.deepEqual(
    summary.task_results.map((row) => row.tags.length > 0),
    [true, true, true],
  );
  assert.ok(summary.warnings.some((warning) => warning.includes("run.json is not valid JSON")));
  assert.ok(existsSync(join(run.path, "run.json")));
});

test("rows of variants and replicates keep their own tags and paths", async () => {
  using root = temporaryDirectory();
  const store = await openResultStore(root.path, { now: () => new Date(0) });
  const rows = ["a", "b"].flatMap((variant_id) =>
    [0, 1].map((replicate_index) => ({
      task_id: "t",
      variant_id,
      replicate_index,
      tags: [`${variant_id}${replicate_index}`],
      task_path: `${variant_id}.yaml`,
    })),
  );
  await store.writePlan({
    startTime: new Date(0),
    maxParallel: 1,
    frameworkVersion: "x",
    evalbatchVersion: "x",
    environmentInfo: {},
    gate: strictGate,
    skippedTasks: [],
    rows,
  });
  for (const { variant_id: variantId, replicate_index: replicateIndex } of rows) {
    await store.writeTaskResult(
      store.resultDir({ variantId, taskId: "t", replicateIndex }),
      sampleResult({ task_id: "t", variant_id: variantId }),
    );
  }
  const summary = await rebuild(root.path);
  assert.deepEqual(
    summary.task_results.map((row) => [row.variant_id, row.replicate_index, row.tags[0], row.task_path]),
    [
      ["a", 0, "a0", "a.yaml"],
      ["a", 1, "a1", "a.yaml"],
      ["b", 0, "b0", "b.yaml"],
      ["b", 1, "b1", "b.yaml"],
    ],
  );
});
