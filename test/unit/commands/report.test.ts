import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { reportCommand } from "../../../src/commands/report.ts";
import { lockRunDir } from "../../../src/commands/run-lock.ts";
import { InputError } from "../../../src/errors.ts";
import { serializeTaskResult } from "../../../src/results/serialize-task-result.ts";
import { currentOwner } from "../../../src/sandbox/docker/owner.ts";
import { copyOfRun, put, sampleResult, temporaryDirectory } from "../results/fixtures.ts";

async function inputError(runDir: string, rebuild = false): Promise<InputError> {
  try {
    await reportCommand({ runDir, rebuild });
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error;
  }
  return assert.fail("it worked");
}

test("run.md is printed as it lies there", async () => {
  using run = copyOfRun("mixed");
  const outcome = await reportCommand({ runDir: run.path, rebuild: false });
  assert.equal(outcome.text, `${readFileSync(join(run.path, "run.md"), "utf8")}\n`);
  assert.equal(outcome.exitCode, 0);
});

test("without run.md the report is rendered from run.json, and nothing is written", async () => {
  using run = copyOfRun("mixed");
  rmSync(join(run.path, "run.md"));
  const before = readdirSync(run.path);
  const outcome = await reportCommand({ runDir: run.path, rebuild: false });
  assert.match(outcome.text, /- \*\*Success Rate\*\*: 31\.8%/);
  assert.deepEqual(readdirSync(run.path), before);
});

test("a rebuild writes run.json, run.md and run.html anew", async () => {
  using run = copyOfRun("mixed");
  rmSync(join(run.path, "run.json"));
  const outcome = await reportCommand({ runDir: run.path, rebuild: true });
  assert.equal(outcome.exitCode, 0);
  assert.equal(JSON.parse(readFileSync(join(run.path, "run.json"), "utf8")).tasks_run, 22);
  assert.equal(`${readFileSync(join(run.path, "run.md"), "utf8")}\n`, outcome.text);
  assert.match(readFileSync(join(run.path, "run.html"), "utf8"), /^<!doctype html>/);
});

test("a rebuild with unreadable results names them and does not exit 0", async () => {
  using run = copyOfRun("damaged");
  const outcome = await reportCommand({ runDir: run.path, rebuild: true });
  assert.equal(outcome.exitCode, 1);
  assert.equal(outcome.problems.trimEnd().split("\n").length, 6);
  assert.match(outcome.problems, /default\/empty-task\/00\/task\.json: the file is empty\n/);
});

test("a broken run.json is set aside by a rebuild, never overwritten", async () => {
  using run = copyOfRun("all-pass");
  writeFileSync(join(run.path, "run.json"), "{broken");
  await reportCommand({ runDir: run.path, rebuild: true });
  assert.equal(readFileSync(join(run.path, "run.json.unreadable"), "utf8"), "{broken");
  assert.equal(JSON.parse(readFileSync(join(run.path, "run.json"), "utf8")).tasks_run, 3);
  writeFileSync(join(run.path, "run.json"), "{broken again");
  await reportCommand({ runDir: run.path, rebuild: true });
  assert.equal(readFileSync(join(run.path, "run.json.unreadable"), "utf8"), "{broken");
  assert.equal(readFileSync(join(run.path, "run.json.unreadable-2"), "utf8"), "{broken again");
});

test("a run.json that is broken or does not add up is refused with the remedy", async () => {
  using run = copyOfRun("all-pass");
  rmSync(join(run.path, "run.md"));
  const whole = JSON.parse(readFileSync(join(run.path, "run.json"), "utf8"));
  for (const [text, expected] of [
    ["{broken", /not valid JSON/],
    ["[]", /expected object/],
    [JSON.stringify({ ...whole, tasks_failed: 1 }), /does not add up/],
    [JSON.stringify({ ...whole, task_results: [{ task_id: "t", status: "NEW" }] }), /task_results\.0\.status/],
  ] as const) {
    writeFileSync(join(run.path, "run.json"), text);
    const error = await inputError(run.path);
    assert.match(error.message, expected);
    assert.match(error.hint ?? "", /--rebuild/);
  }
});

test("a directory that holds no run is an input error, and a rebuild writes nothing there", async () => {
  using root = temporaryDirectory();
  assert.match((await inputError(root.path)).message, /holds no run/);
  assert.match((await inputError(root.path, true)).message, /holds no run/);
  assert.match((await inputError(join(root.path, "nowhere"), true)).message, /holds no run/);
  assert.deepEqual(readdirSync(root.path), []);
  assert.equal(existsSync(join(root.path, "nowhere")), false);
});

test("a rebuild tells what it did not use, by path and reason, without what steers a terminal", async () => {
  using run = temporaryDirectory();
  put(run.path, "plan.json", JSON.stringify({ run_id: "r", tasks: [{ task_id: "a" }], set_aside: [asideBefore] }));
  for (const id of ["a", "gone\u001b[2J"]) put(run.path, `default/${id}/00/task.json`, serializeTaskResult(sampleResult({ task_id: id })));
  const { problems, exitCode } = await reportCommand({ runDir: run.path, rebuild: true });
  assert.deepEqual(problems.split("\n"), [
    "not used: default/a/00/task.json: the file is empty; now default/a/00/task.json.unreadable",
    "not used: default/gone/00/task.json: not part of the plan",
    "",
  ]);
  assert.equal(exitCode, 0);
});

const asideBefore = { path: "default/a/00/task.json", reason: "the file is empty", moved_to: "default/a/00/task.json.unreadable" };

test("while a run lives in a directory its reports are not made anew, and what is there can be read", async () => {
  using run = copyOfRun("mixed");
  const unlock = await lockRunDir(run.path);
  const before = readFileSync(join(run.path, "run.json"), "utf8");
  const error = await inputError(run.path, true);
  assert.equal(error.code, "run-dir-busy");
  assert.match(error.message, new RegExp(`process ${process.pid} .* is running in `));
  assert.equal(readFileSync(join(run.path, "run.json"), "utf8"), before);
  assert.equal((await reportCommand({ runDir: run.path, rebuild: false })).exitCode, 0);
  await unlock();
  const outcome = await reportCommand({ runDir: run.path, rebuild: true });
  assert.equal(outcome.exitCode, 0);
  assert.equal(existsSync(join(run.path, "run.lock")), false);
});

test("a rebuild takes over the mark that a killed run left, and leaves none where it is refused", async () => {
  using run = copyOfRun("mixed");
  writeFileSync(join(run.path, "run.lock"), JSON.stringify({ ...currentOwner(), startedAt: "1" }));
  assert.equal((await reportCommand({ runDir: run.path, rebuild: true })).exitCode, 0);
  assert.equal(existsSync(join(run.path, "run.lock")), false);
  using empty = temporaryDirectory();
  assert.equal((await inputError(empty.path, true)).code, "no-run");
  assert.deepEqual(readdirSync(empty.path), []);
  assert.equal((await inputError(join(empty.path, "absent"), true)).code, "no-run");
  assert.deepEqual(readdirSync(empty.path), []);
});
