import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { DriftEntry } from "../../../src/results/fingerprint/drift-schema.ts";
import { strictGate } from "../../../src/results/gate.ts";
import type { RunPlan } from "../../../src/results/plan-file.ts";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import { beginAttempt } from "../../../src/results/resume/begin-attempt.ts";
import type { ResumeFacts } from "../../../src/results/resume/resume-facts.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import { openResultStore, type ResultStore } from "../../../src/results/store.ts";
import { put, temporaryDirectory } from "./fixtures.ts";
import { attemptFacts, putResult } from "./resume/planned.ts";

const firstStart = new Date("2026-07-07T10:00:00Z");
const secondStart = new Date("2026-07-07T12:00:00Z");

const resume: ResumeFacts = {
  attempt: 2,
  source: { kind: "artifact", artifact: "evalbatch-x", url: null, workflow_run_id: "7", workflow_run_attempt: 1 },
  retry: "errors",
  on_drift: "warn",
  rows_kept: 1,
  rows_to_run: 2,
  reasons: { missing: 1, error: 1 },
  earlier_start_time: firstStart.toISOString(),
  earlier_end_time: null,
};

const changed: DriftEntry = {
  kind: "config",
  field: "run_limits.max_turns",
  before: "5",
  now: "7",
  set_by: "task",
  benign: false,
  rows: 1,
  tasks: ["a"],
};

async function storeOf(root: string): Promise<ResultStore> {
  return await openResultStore(root, { now: () => new Date(0) });
}

async function plan(root: string, taskIds: readonly string[], overrides: Partial<RunPlan> = {}): Promise<void> {
  await (await storeOf(root)).writePlan({
    startTime: firstStart,
    maxParallel: 2,
    frameworkVersion: "x",
    evalbatchVersion: "x",
    environmentInfo: { node: "24" },
    gate: strictGate,
    skippedTasks: [],
    rows: taskIds.map((task_id) => ({ task_id, variant_id: "default", replicate_index: 0, tags: [], task_path: null })),
    ...overrides,
  });
}

const rebuild = async (root: string): Promise<RunSummary> =>
  (await rebuildSummary(root, { version: "1", unfinished: "interrupted" })).summary;
const statuses = (summary: RunSummary) => summary.task_results.map((row) => `${row.task_id} ${row.status}`);

test("results that the plan does not have are listed, not counted, readable or not", async () => {
  using root = temporaryDirectory();
  await plan(root.path, ["a", "b"]);
  putResult(root.path, "a");
  putResult(root.path, "gone", { final_status: "FAILURE" });
  putResult(root.path, "a", { evalbatch: attemptFacts({ replicate_index: 1 }) }, "default/a/01");
  put(root.path, "default/broken/00/task.json", "{");
  const summary = await rebuild(root.path);
  assert.deepEqual(statuses(summary), ["a SUCCESS"]);
  assert.deepEqual(
    summary.not_run.map(({ task_id, reason }) => [task_id, reason]),
    [["b", "no result found"]],
  );
  assert.deepEqual(summary.unreadable, []);
  assert.equal(summary.tasks_planned, 2);
  assert.deepEqual(
    summary.set_aside.map(({ path, reason, moved_to }) => [path, reason.replace(/:.*/s, ""), moved_to]),
    [
      ["default/a/01/task.json", "not part of the plan", null],
      ["default/broken/00/task.json", "not part of the plan, and it cannot be read", null],
      ["default/gone/00/task.json", "not part of the plan", null],
    ],
  );
});

test("a planned row whose result cannot be read is an error, with the attempts before it", async () => {
  using root = temporaryDirectory();
  await plan(root.path, ["a"]);
  putResult(root.path, "a", { final_status: "FAILURE", error_message: "no" });
  await beginAttempt(join(root.path, "default/a/00"), new Date(0));
  put(root.path, "default/a/00/task.json", "{");
  const summary = await rebuild(root.path);
  assert.deepEqual(statuses(summary), ["a ERROR"]);
  assert.equal(summary.unreadable.length, 1);
  const [row] = summary.task_results;
  assert.equal(row?.attempt, 2);
  assert.deepEqual(
    row?.earlier_attempts.map(({ attempt, status }) => [attempt, status]),
    [[1, "FAILURE"]],
  );
});

test("of two results of one row the newest counts, wherever it lies", async () => {
  for (const isPlanned of [true, false]) {
    using root = temporaryDirectory();
    if (isPlanned) await plan(root.path, ["a"]);
    putResult(root.path, "a", { evalbatch: attemptFacts({ attempt: 1 }) });
    putResult(root.path, "a", { final_status: "FAILURE", evalbatch: attemptFacts({ attempt: 2 }) }, "default/z/00");
    putResult(root.path, "a", { final_status: "ERROR", evalbatch: attemptFacts({ attempt: 1 }) }, "a-first/a/00");
    const { summary } = await rebuildSummary(root.path, { version: "1" });
    assert.deepEqual(statuses(summary), ["a FAILURE"]);
    assert.equal(summary.task_results[0]?.result_dir, "default/z/00");
    assert.equal(summary.task_results[0]?.attempt, 2);
    const told = isPlanned ? summary.set_aside : summary.unreadable;
    assert.deepEqual(
      told.map(({ path, reason }) => [path, reason]),
      ["a-first/a/00/task.json", "default/a/00/task.json"].map((path) => [path, "the same row stands in default/z/00/task.json"]),
    );
    assert.equal(isPlanned ? summary.unreadable.length : summary.set_aside.length, 0);
  }
});

test("a resumed run that was killed is rebuilt from its own plan, not from the run.json of the execution before", async () => {
  using root = temporaryDirectory();
  const store = await storeOf(root.path);
  await plan(root.path, ["a", "b", "c"]);
  const old = { started_at: "2026-07-07T10:00:01Z", completed_at: "2026-07-07T10:00:05Z" };
  putResult(root.path, "a", old);
  await store.writeRun({ ...(await rebuild(root.path)), interrupted: false, end_time: "2026-07-07T10:30:00.000Z" });

  const setAside = [{ path: "default/b/00/task.json", reason: "the file is empty", moved_to: "default/b/00/task.json.unreadable" }];
  const origin = { repository: "o/r", workflow_run_id: "7", workflow_run_attempt: 2, job: "eval", leg: null, step: null };
  await plan(root.path, ["a", "b", "d"], { startTime: secondStart, maxParallel: 5, resume, drift: [changed], setAside, origin });
  await beginAttempt(join(root.path, "default/b/00"), new Date("2026-07-07T12:00:01Z"));
  putResult(root.path, "d", { started_at: "2026-07-07T12:00:02Z", completed_at: "2026-07-07T12:00:09Z" });

  const summary = await rebuild(root.path);
  assert.equal(summary.interrupted, true);
  assert.equal(summary.start_time, secondStart.toISOString());
  assert.equal(summary.end_time, "2026-07-07T12:00:09.000Z");
  assert.equal(summary.max_parallel, 5);
  assert.deepEqual(
    summary.task_results.map(({ task_id, kept }) => [task_id, kept]),
    [
      ["a", true],
      ["d", false],
    ],
  );
  assert.deepEqual(
    summary.not_run.map(({ task_id, reason }) => [task_id, reason]),
    [["b", "interrupted while running"]],
  );
  assert.deepEqual(summary.resume, resume);
  assert.deepEqual(summary.drift, [changed]);
  assert.deepEqual(summary.set_aside, setAside);

  // Once it stands in run.json, it is carried over from there, plan or not.
  await store.writeRun(summary);
  for (const isThere of [true, false]) {
    if (!isThere) rmSync(join(root.path, "plan.json"));
    const again = await rebuild(root.path);
    assert.deepEqual(JSON.parse(JSON.stringify({ ...again, warnings: [] })), JSON.parse(JSON.stringify({ ...summary, warnings: [] })));
  }
});

test("a row that was cleared for a retry that never began has no result, and was not interrupted", async () => {
  using root = temporaryDirectory();
  await plan(root.path, ["a", "b"]);
  put(root.path, "default/a/00/attempts.json", JSON.stringify({ attempt: 1, earlier: [{ attempt: 1, status: "SUCCESS" }] }));
  put(root.path, "default/b/00/attempts.json", JSON.stringify({ attempt: 2, earlier: [{ attempt: 1, status: "SUCCESS" }] }));
  assert.deepEqual(
    (await rebuild(root.path)).not_run.map(({ task_id, reason }) => [task_id, reason]),
    [
      ["a", "no result found"],
      ["b", "interrupted while running"],
    ],
  );
});

test("where a tool that writes no plan went on with the run, its results belong to it", async () => {
  using root = temporaryDirectory();
  const store = await storeOf(root.path);
  await plan(root.path, ["a"]);
  putResult(root.path, "a");
  const summary = await rebuild(root.path);
  putResult(root.path, "added");
  await store.writeRun({ ...summary, start_time: secondStart.toISOString() });
  const again = await rebuild(root.path);
  assert.deepEqual(statuses(again), ["a SUCCESS", "added SUCCESS"]);
  assert.deepEqual(again.set_aside, []);
});

test("a plan of which a row cannot be read excludes nothing", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a");
  putResult(root.path, "b");
  for (const tasks of [[{ task_id: "a" }, { task_id: 7 }], [{ task_id: "a" }, null], []]) {
    put(root.path, "plan.json", JSON.stringify({ run_id: "r", tasks }));
    const summary = await rebuild(root.path);
    assert.deepEqual(statuses(summary), ["a SUCCESS", "b SUCCESS"]);
    assert.deepEqual(summary.set_aside, []);
  }
});

test("a plan whose ids are no places on a disk is read all the same", async () => {
  using root = temporaryDirectory();
  put(root.path, "plan.json", JSON.stringify({ run_id: "r", tasks: [{ task_id: "../../etc" }, { task_id: "a\u0000b" }, { task_id: "" }] }));
  const { not_run: notRun } = await rebuild(root.path);
  assert.deepEqual(
    notRun.map(({ reason }) => reason),
    ["no result found", "no result found", "no result found"],
  );
});

test("without run.json and plan.json all that was finished is there", async () => {
  using root = temporaryDirectory();
  const ids = Array.from({ length: 30 }, (_, index) => `t${String(index).padStart(2, "0")}`);
  for (const id of ids) putResult(root.path, id, id === "t07" ? { final_status: "ERROR", error_message: "504" } : {});
  const summary = await rebuild(root.path);
  assert.deepEqual(
    summary.task_results.map((row) => row.task_id),
    ids,
  );
  assert.equal(summary.tasks_succeeded, 29);
  assert.equal(summary.tasks_error, 1);
});

test("versions that the tasks of one run disagree on are not carried over: they are seen anew", async () => {
  using root = temporaryDirectory();
  const store = await storeOf(root.path);
  putResult(root.path, "a");
  const summary = await rebuild(root.path);
  const versions: DriftEntry = { ...changed, kind: "versions", field: "node" };
  await store.writeRun({ ...summary, drift: [changed, versions] });
  assert.deepEqual((await rebuild(root.path)).drift, [changed]);
});
