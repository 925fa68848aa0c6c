import assert from "node:assert/strict";
import test from "node:test";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import { createRunTotals } from "../../../src/results/run-totals.ts";
import { openResultStore } from "../../../src/results/store.ts";
import { attemptFactsSchema, type EvaluationResult } from "../../../src/results/task-result.ts";
import { toRunRow } from "../../../src/results/task-to-row.ts";
import { sampleResult, temporaryDirectory } from "./fixtures.ts";

const host = { evalbatch: "0.2.0", node: "v24" };

function resultOf(task: string, day: number, java: string, version: string): EvaluationResult {
  const sandbox = { driver: "docker", image: "jdk", image_id: `sha256:${String(day).repeat(64)}`, engine_version: "28.0.1" };
  return sampleResult({
    task_id: task,
    started_at: `2026-07-0${day}T10:00:00.000Z`,
    completed_at: `2026-07-0${day}T10:01:00.000Z`,
    environment_info: { ...host, evalbatch: version, env_probe: { java, python: "Not Found" } },
    evalbatch: attemptFactsSchema.parse({ version, sandbox }),
  });
}

const results = [resultOf("a", 1, "17.0.9", "0.1.0"), resultOf("b", 2, "17.0.10", "0.2.0"), resultOf("c", 2, "17.0.10", "0.2.0")];

test("a rebuild tells the same versions and differences as the run, as often as it is made", async () => {
  using root = temporaryDirectory();
  const store = await openResultStore(root.path, { now: () => new Date(0) });
  const totals = createRunTotals();
  const rows = [];
  for (const [index, result] of results.entries()) {
    const place = { variantId: "default", taskId: result.task_id, replicateIndex: 0 };
    await store.writeTaskResult(store.resultDir(place), result);
    const row = toRunRow(result, { ...place, tags: [], taskPath: null, resultDir: `default/${result.task_id}/00` });
    totals.add(result, row, index);
    rows.push(row);
  }
  const ran = buildRunSummary({
    runId: "run",
    startTime: new Date("2026-07-02T10:00:00Z"),
    endTime: new Date("2026-07-02T10:02:00Z"),
    rows,
    skippedTasks: [],
    notRun: [],
    maxParallel: 1,
    frameworkVersion: "0.2.0",
    environmentInfo: host,
    versions: totals.versions,
    interrupted: false,
    drift: [
      { kind: "environment", field: "image jdk", before: "x", now: "y", set_by: null, benign: false, rows: 1, tasks: ["a"] },
      { kind: "config", field: "max_parallel", before: "1", now: "2", set_by: null, benign: true, rows: 0, tasks: [] },
    ],
  });
  assert.deepEqual(
    ran.drift.map(({ kind, field, before, now, rows: count }) => [kind, field, before, now, count]),
    [
      ["versions", "env_probe.java", "17.0.9", "17.0.10", 1],
      ["versions", "evalbatch", "0.1.0", "0.2.0", 1],
      ["environment", "image jdk", "x", "y", 1],
      ["config", "max_parallel", "1", "2", 0],
    ],
  );
  assert.deepEqual(ran.environment_info, { ...host, env_probe: { java: "17.0.9 | 17.0.10", python: "Not Found" } });
  await store.writeRun(ran);
  for (const time of ["first", "second"]) {
    const { summary } = await rebuildSummary(root.path, { version: "0.3.0" });
    assert.deepEqual(summary.drift, ran.drift, time);
    assert.deepEqual(summary.environment_info, ran.environment_info, time);
    await store.writeRun(summary);
  }
});

test("without run.json and plan.json the versions of the tasks are still those of the tasks", async () => {
  using root = temporaryDirectory();
  const store = await openResultStore(root.path, { now: () => new Date(0) });
  for (const result of results) {
    await store.writeTaskResult(store.resultDir({ variantId: "default", taskId: result.task_id, replicateIndex: 0 }), result);
  }
  const { summary } = await rebuildSummary(root.path, { version: "0.3.0" });
  assert.deepEqual(summary.environment_info.env_probe, { java: "17.0.9 | 17.0.10", python: "Not Found" });
  assert.deepEqual(
    summary.drift.map(({ field }) => field),
    ["env_probe.java", "evalbatch", "image jdk"],
  );
});
