import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../src/errors.ts";
import { writeFileAtomic } from "../../../src/results/atomic-file.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { resultDirOf, rowKeyText } from "../../../src/results/layout.ts";
import { openResultStore } from "../../../src/results/store.ts";
import { put, sampleResult, temporaryDirectory } from "./fixtures.ts";

const deps = { now: () => new Date(2026, 6, 7, 10, 11, 12) };
const plan = {
  startTime: new Date("2026-07-07T10:00:00Z"),
  maxParallel: 3,
  frameworkVersion: "0.1.0",
  evalbatchVersion: "0.1.0",
  environmentInfo: { node: "24" },
  gate: strictGate,
  skippedTasks: [{ path: "a.yaml", reason: "skip: true", kind: "skip" as const }],
  rows: [{ task_id: "suite/row", variant_id: "default", replicate_index: 0, tags: ["smoke"], task_path: "tasks/a.yaml" }],
};

async function rejection(work: Promise<unknown>): Promise<EnvironmentError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof EnvironmentError, String(error));
    return error;
  }
  return assert.fail("it worked");
}

test("the directory of a row is variant, task and two-digit replicate", async () => {
  using root = temporaryDirectory();
  const store = await openResultStore(join(root.path, "runs/r1"), deps);
  assert.equal(store.runId, "r1");
  assert.equal(
    store.resultDir({ variantId: "default", taskId: "suite/row", replicateIndex: 3 }),
    join(root.path, "runs/r1/default/suite/row/03"),
  );
  assert.ok(existsSync(store.runDir));
});

test("an id that would leave the run directory never becomes a path", () => {
  for (const taskId of ["../x", "a/../../b", "/etc", "a//b", "a\0b", "", "a\\..\\b", "."]) {
    assert.throws(() => resultDirOf({ variantId: "v", taskId, replicateIndex: 0 }), /cannot be a directory/, JSON.stringify(taskId));
  }
});

test("keys that differ have texts that differ", () => {
  const keys = [
    ["a", "b/c", 0],
    ["a/b", "c", 0],
    ["a", "b", 0],
    ["a", "b", 1],
    ["a/1", "b", 0],
    ["a", "1/b", 0],
  ] as const;
  assert.equal(new Set(keys.map(([variant, task, index]) => rowKeyText(variant, task, index))).size, keys.length);
});

test("the plan is on disk before anything runs, one line per row", async () => {
  using root = temporaryDirectory();
  const store = await openResultStore(root.path, deps);
  await store.writePlan(plan);
  const text = readFileSync(join(root.path, "plan.json"), "utf8");
  assert.deepEqual(JSON.parse(text).tasks, plan.rows);
  assert.equal(JSON.parse(text).max_parallel, 3);
  assert.equal(text.split("\n").filter((line) => line.includes('"suite/row"')).length, 1);
  await store.writePlan({ ...plan, rows: [] });
  assert.deepEqual(JSON.parse(readFileSync(join(root.path, "plan.json"), "utf8")).tasks, []);
});

test("a result is written whole, without a temporary file left", async () => {
  using root = temporaryDirectory();
  const store = await openResultStore(root.path, deps);
  const dir = store.resultDir({ variantId: "default", taskId: "t", replicateIndex: 0 });
  const path = await store.writeTaskResult(dir, sampleResult());
  assert.equal(JSON.parse(readFileSync(path, "utf8")).task_id, "a-task");
  assert.deepEqual(readdirSync(dir), ["task.json"]);
});

test("a link laid in the way of a file is replaced, never followed", async () => {
  using root = temporaryDirectory();
  const victim = join(root.path, "victim");
  writeFileSync(victim, "mine");
  symlinkSync(victim, join(root.path, "task.json.tmp"));
  symlinkSync(victim, join(root.path, "task.json"));
  await writeFileAtomic(join(root.path, "task.json"), ["new"]);
  assert.equal(readFileSync(victim, "utf8"), "mine");
  assert.equal(readFileSync(join(root.path, "task.json"), "utf8"), "new");
  assert.ok(lstatSync(join(root.path, "task.json")).isFile());
});

test("a write that breaks off leaves the old file as it was", async () => {
  using root = temporaryDirectory();
  const path = join(root.path, "run.json");
  writeFileSync(path, "old");
  const breaking = function* (): Generator<string> {
    yield "x".repeat(3_000_000);
    throw new Error("no more");
  };
  await assert.rejects(writeFileAtomic(path, breaking()), /no more/);
  assert.equal(readFileSync(path, "utf8"), "old");
  assert.deepEqual(readdirSync(root.path), ["run.json"]);
});

test("latest points at the run by a relative link and is replaced in one step", async () => {
  using root = temporaryDirectory();
  for (const name of ["r1", "r2"]) {
    const store = await openResultStore(join(root.path, "runs", name), deps);
    assert.equal(existsSync(join(root.path, "runs/latest")), name === "r2");
    assert.equal(await store.pointLatest(), undefined);
    assert.equal(readlinkSync(join(root.path, "runs/latest")), name);
  }
});

test("latest never replaces a real directory and says why", async () => {
  using root = temporaryDirectory();
  mkdirSync(join(root.path, "runs/latest"), { recursive: true });
  const store = await openResultStore(join(root.path, "runs/r1"), deps);
  assert.match((await store.pointLatest()) ?? "", /exists and is no link/);
  assert.ok(lstatSync(join(root.path, "runs/latest")).isDirectory());
});

test("the logs of all rows are joined in the form of coder_eval", async () => {
  using root = temporaryDirectory();
  const run = join(root.path, "my-run");
  put(run, "default/a/00/task.log", "line of a\n");
  put(run, "default/b/00/task.log", "no line end");
  put(run, "default/b/00/artifacts/b/task.log", "of the agent");
  const store = await openResultStore(run, deps);
  await store.writeExperimentLog();
  const rule = "=".repeat(80);
  assert.equal(
    readFileSync(join(run, "experiment.log"), "utf8"),
    `# Run Log: my-run\n# Aggregated from 2 task(s)\n# Generated: 2026-07-07 10:11:12\n\n\n${rule}\nTASK: default/a/00\n${rule}\n\nline of a\n\n\n${rule}\nTASK: default/b/00\n${rule}\n\nno line end\n\n`,
  );
});

test("a run without logs says so", async () => {
  using root = temporaryDirectory();
  await (await openResultStore(root.path, deps)).writeExperimentLog();
  assert.match(readFileSync(join(root.path, "experiment.log"), "utf8"), /No task logs found\.\n$/);
});

test("a place that cannot be written is an environment error with a remedy", async () => {
  using root = temporaryDirectory();
  writeFileSync(join(root.path, "file"), "");
  const error = await rejection(openResultStore(join(root.path, "file/run"), deps));
  assert.equal(error.code, "cannot-write");
  assert.ok(error.hint);
});

/** A file system of 64 KB on an empty directory, unmounted with its scope; undefined where none can be mounted. */
function tinyDisk(path: string): Disposable | undefined {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path], { stdio: "pipe" });
  } catch {
    return undefined;
  }
  return { [Symbol.dispose]: () => void execFileSync("umount", [path]) };
}

test("a full disk is told as such, and what was written before stays whole", async (t) => {
  using root = temporaryDirectory();
  const disk = join(root.path, "disk");
  using mounted = tinyDisk(disk);
  if (mounted === undefined) return t.skip("no tmpfs can be mounted here");
  const store = await openResultStore(disk, deps);
  const dir = join(disk, "default/t/00");
  const path = await store.writeTaskResult(dir, sampleResult());
  const before = readFileSync(path, "utf8");
  const error = await rejection(store.writeTaskResult(dir, sampleResult({ error_log_tail: "x".repeat(150_000) })));
  assert.equal(error.code, "disk-full");
  assert.equal(readFileSync(path, "utf8"), before);
  assert.deepEqual(readdirSync(dir), ["task.json"]);
});
