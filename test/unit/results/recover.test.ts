import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { recoverResults } from "../../../src/results/recover.ts";
import { serializeTaskResult } from "../../../src/results/serialize-task-result.ts";
import { copyOfRun, put, sampleResult, temporaryDirectory } from "./fixtures.ts";
import { attemptFacts } from "./resume/planned.ts";

const text = serializeTaskResult(sampleResult());

async function recovered(runDir: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const entry of recoverResults(runDir)) {
    lines.push(entry.kind === "result" ? `${entry.path} ${entry.replicateIndex}` : `${entry.kind}: ${entry.path}`);
  }
  return lines;
}

test("of a damaged run every file is either a result, a problem, or left out with its run", async () => {
  using run = copyOfRun("damaged");
  assert.deepEqual(await recovered(run.path), [
    "problem: default/empty-task/00/task.json",
    "default/extra/03/task.json 3",
    "problem: default/list-task/00/task.json",
    "problem: default/low-score/00/task.json",
    "default/odd/7/task.json 7",
    "default/odd/x/task.json 0",
    "default/passes/00/task.json 0",
    "default/passes-copy/00/task.json 0",
    "default/prepared-files/00/task.json 0",
    "default/scripted-greeting/00/task.json 0",
    "problem: default/setup-fails/00/task.json",
    "problem: default/zero-weight-fails/00/task.json",
    "nested run: nested/shard-2",
  ]);
});

test("files of agents below artifacts are never results, whatever they are called", async () => {
  using root = temporaryDirectory();
  put(root.path, "default/t/00/artifacts/t/task.json", text);
  put(root.path, "default/t/00/artifacts/t/run.json", "{}");
  put(root.path, "default/t/00/artifacts/task.json", text);
  put(root.path, "default/t/00/task.json", text);
  put(root.path, "default/killed/00/artifacts/killed/task.json", text);
  assert.deepEqual(await recovered(root.path), ["default/t/00/task.json 0"]);
});

test("a task or variant that is called artifacts is found all the same", async () => {
  using root = temporaryDirectory();
  put(root.path, "default/artifacts/00/task.json", text);
  put(root.path, "default/suite/artifacts/01/task.json", text);
  put(root.path, "artifacts/t/00/task.json", text);
  assert.deepEqual(await recovered(root.path), [
    "artifacts/t/00/task.json 0",
    "default/artifacts/00/task.json 0",
    "default/suite/artifacts/01/task.json 1",
  ]);
});

test("a directory that is called run.json makes no run of what is beside it", async () => {
  using root = temporaryDirectory();
  put(root.path, "default/suite/run.json/00/task.json", text);
  put(root.path, "default/suite/row/00/task.json", text);
  assert.deepEqual(await recovered(root.path), ["default/suite/row/00/task.json 0", "default/suite/run.json/00/task.json 0"]);
});

test("a result that knows its replicate is believed, wherever it lies", async () => {
  using root = temporaryDirectory();
  const evalbatch = { ...attemptFacts(), replicate_index: 4 };
  put(root.path, "default/t/00/task.json", serializeTaskResult(sampleResult({ evalbatch })));
  put(root.path, "default/t/01/task.json", serializeTaskResult(sampleResult({ evalbatch: { ...evalbatch, replicate_index: -1 } })));
  assert.deepEqual(await recovered(root.path), ["default/t/00/task.json 4", "default/t/01/task.json 1"]);
});

test("a result right in the run directory is found, its artifacts are not", async () => {
  using root = temporaryDirectory();
  put(root.path, "task.json", text);
  put(root.path, "artifacts/t/task.json", text);
  assert.deepEqual(await recovered(root.path), ["task.json 0"]);
});

test("links to directories are not followed and a link is no result", async () => {
  using root = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  put(elsewhere.path, "t/00/task.json", text);
  mkdirSync(join(root.path, "default/linked/00"), { recursive: true });
  symlinkSync(join(elsewhere.path, "t"), join(root.path, "default/t"));
  symlinkSync(join(elsewhere.path, "t/00/task.json"), join(root.path, "default/linked/00/task.json"));
  symlinkSync(root.path, join(root.path, "default/loop"));
  assert.deepEqual(await recovered(root.path), ["problem: default/linked/00/task.json"]);
});

test("results moved aside are no results", async () => {
  using root = temporaryDirectory();
  for (const name of ["task.json.previous", "task.json.tmp", "task.json.malformed", "task.execute.json"])
    put(root.path, `default/t/00/${name}`, text);
  assert.deepEqual(await recovered(root.path), []);
});

test("a run directory that is not there is a problem, not an empty run", async () => {
  using root = temporaryDirectory();
  assert.deepEqual(await recovered(join(root.path, "nowhere")), ["problem: ."]);
});

test("a directory as deep as the file system allows is walked without recursion", async () => {
  using root = temporaryDirectory();
  const deep = Array.from({ length: 900 }, () => "d").join("/");
  put(root.path, `${deep}/00/task.json`, text);
  assert.deepEqual(await recovered(root.path), [`${deep}/00/task.json 0`]);
});
