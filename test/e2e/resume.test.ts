import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { commandTask, makeProject, type Project, runCli, startCli } from "./cli.ts";

// `run --resume`, seen from the outside: what is kept, what runs again, what is said about it.

const rowSchema = z.object({
  task_id: z.string(),
  status: z.string(),
  attempt: z.number(),
  kept: z.boolean(),
  earlier_attempts: z.array(z.object({ attempt: z.number(), status: z.string() })),
});
const runSchema = z.object({
  verdict: z.string(),
  pass_rate: z.number().nullable(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_not_run: z.number(),
  interrupted: z.boolean(),
  resume: z
    .object({ attempt: z.number(), rows_kept: z.number(), rows_to_run: z.number(), reasons: z.record(z.string(), z.number()) })
    .nullable(),
  drift: z.array(z.object({ kind: z.string(), field: z.string(), set_by: z.string().nullable(), benign: z.boolean(), rows: z.number() })),
  set_aside: z.array(z.object({ path: z.string(), reason: z.string(), moved_to: z.string().nullable() })),
  task_results: z.array(rowSchema),
});

const args = ["run", "tasks", "--driver", "tempdir", "--run-dir", "out"];
const resume = [...args, "--resume"];
const read = (project: Project) => project.readJson("out/run.json", runSchema);
const rowsOf = (run: z.infer<typeof runSchema>) => run.task_results.map((row) => [row.task_id, row.status, row.attempt, row.kept]);

test("what was run is not run again: a resume of a finished run executes nothing (B62)", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done"), "tasks/b.yaml": commandTask("b", "true") });
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  const before = await project.readText("out/default/a/00/task.json");
  const again = await runCli(resume, { cwd: project.dir });
  assert.equal(again.code, 1, again.stderr);
  assert.match(again.stderr, /continuing, attempt 2: 2 results kept, nothing is left to run/);
  const run = await read(project);
  assert.deepEqual(rowsOf(run), [
    ["a", "SUCCESS", 1, true],
    ["b", "FAILURE", 1, true],
  ]);
  assert.deepEqual([run.pass_rate, run.drift, run.set_aside, run.resume?.rows_kept], [0.5, [], [], 2]);
  assert.equal(await project.readText("out/default/a/00/task.json"), before);
});

test("--retry failed runs failures again, and a pass on the second try raises no pass rate", async () => {
  const flaky = 'n=$(cat "$COUNTER" 2>/dev/null || echo 0); echo $((n+1)) > "$COUNTER"; [ "$n" -gt 0 ] && touch done; true';
  await using project = await makeProject({
    "tasks/a.yaml": commandTask("a", "touch done"),
    "tasks/b.yaml": commandTask("b", flaky.replaceAll('"$COUNTER"', "../counter-of-b")),
  });
  const flakyFile = join(project.dir, "counter");
  await writeFile(join(project.dir, "tasks/b.yaml"), commandTask("b", flaky.replaceAll('"$COUNTER"', flakyFile)));
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  assert.equal((await read(project)).pass_rate, 0.5);
  const again = await runCli([...resume, "--retry", "failed"], { cwd: project.dir });
  assert.equal(again.code, 0, again.stderr);
  const run = await read(project);
  assert.deepEqual(rowsOf(run), [
    ["a", "SUCCESS", 1, true],
    ["b", "SUCCESS", 2, false],
  ]);
  assert.deepEqual(
    run.task_results[1]?.earlier_attempts.map(({ status }) => status),
    ["FAILURE"],
  );
  assert.deepEqual([run.tasks_succeeded, run.pass_rate, run.resume?.reasons], [2, 0.5, { failed: 1 }]);
});

test("a row that was to be tried again and never was keeps its old result", async () => {
  await using project = await makeProject({
    "tasks/a.yaml": commandTask("a", "sleep 0.1"),
    "tasks/b.yaml": commandTask("b", "true"),
    "tasks/c.yaml": commandTask("c", "true"),
  });
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "sleep 300"));
  const again = startCli([...resume, "--retry", "failed", "-j", "1", "-v"], { cwd: project.dir });
  await again.waitFor("running 3 tasks");
  while (!existsSync(join(project.dir, "out/default/a/00/task.json.previous"))) await new Promise((next) => setTimeout(next, 20));
  again.child.kill("SIGINT");
  assert.equal((await again.end).code, 130);
  const run = await read(project);
  assert.deepEqual(rowsOf(run), [
    ["b", "FAILURE", 1, true],
    ["c", "FAILURE", 1, true],
  ]);
  assert.deepEqual([run.interrupted, run.tasks_not_run], [true, 1]);
});

test("a changed task is told with its layer; rerun runs what it concerns, fail runs nothing", async () => {
  await using project = await makeProject({
    "tasks/a.yaml": commandTask("a", "touch done"),
    "tasks/b.yaml": commandTask("b", "touch done"),
  });
  assert.equal((await runCli(args, { cwd: project.dir })).code, 0);
  await writeFile(join(project.dir, "tasks/b.yaml"), commandTask("b", "touch done", "test -e done && true"));

  const refused = await runCli([...resume, "--on-drift", "fail"], { cwd: project.dir });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /changed since the earlier attempt: success_criteria/);
  assert.equal((await read(project)).resume, null);

  const warned = await runCli(resume, { cwd: project.dir });
  assert.equal(warned.code, 0, warned.stderr);
  assert.match(warned.stderr, /settings or files have changed since the earlier attempt/);
  const mixed = await read(project);
  assert.deepEqual(
    mixed.drift.map(({ kind, field, benign, rows }) => [kind, field, benign, rows]),
    [["content", "success_criteria", false, 1]],
  );
  // It is not forgotten: the results are still mixed.
  await runCli(resume, { cwd: project.dir });
  assert.deepEqual((await read(project)).drift, mixed.drift);

  const rerun = await runCli([...resume, "--on-drift", "rerun"], { cwd: project.dir });
  assert.equal(rerun.code, 0, rerun.stderr);
  const run = await read(project);
  assert.deepEqual(rowsOf(run), [
    ["a", "SUCCESS", 1, true],
    ["b", "SUCCESS", 2, false],
  ]);
  await runCli(resume, { cwd: project.dir });
  assert.deepEqual((await read(project)).drift, []);
});

test("a setting of the command line is told with its flag, and one without effect apart", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  await runCli([...args, "-j", "1"], { cwd: project.dir });
  const end = await runCli([...resume, "-j", "2", "-D", "run_limits.task_timeout=77"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  const { drift } = await read(project);
  const grave = drift.filter(({ benign }) => !benign);
  assert.deepEqual(
    grave.map(({ field }) => field),
    ["run_limits.task_timeout"],
  );
  assert.match(grave[0]?.set_by ?? "", /cli/);
  assert.deepEqual(
    drift.filter(({ benign }) => benign).map(({ field }) => field),
    ["max_parallel"],
  );
});

test("a result that cannot be read is set aside, listed, and its row runs again", async () => {
  await using project = await makeProject({
    "tasks/a.yaml": commandTask("a", "touch done"),
    "tasks/b.yaml": commandTask("b", "touch done"),
  });
  await runCli(args, { cwd: project.dir });
  await writeFile(join(project.dir, "out/default/b/00/task.json"), '{"task_id": "b", "final_st');
  const end = await runCli(resume, { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  const run = await read(project);
  assert.deepEqual(
    run.set_aside.map(({ path, moved_to }) => [path, moved_to]),
    [["default/b/00/task.json", "default/b/00/task.json.unreadable"]],
  );
  assert.ok(existsSync(join(project.dir, "out/default/b/00/task.json.unreadable")));
  assert.deepEqual(rowsOf(run), [
    ["a", "SUCCESS", 1, true],
    ["b", "SUCCESS", 2, false],
  ]);
});

test("results of tasks that are not asked for any more stay where they are and do not count", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done"), "tasks/b.yaml": commandTask("b", "true") });
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  await rm(join(project.dir, "tasks/b.yaml"));
  assert.equal((await runCli(resume, { cwd: project.dir })).code, 0);
  const run = await read(project);
  assert.deepEqual(
    run.task_results.map(({ task_id }) => task_id),
    ["a"],
  );
  assert.deepEqual(run.set_aside, [{ path: "default/b/00/task.json", reason: "not part of the plan", moved_to: null }]);
  const rebuilt = await runCli(["report", "out", "--rebuild"], { cwd: project.dir });
  assert.deepEqual(
    (await read(project)).task_results.map(({ task_id }) => task_id),
    ["a"],
    rebuilt.stderr,
  );
});

test("two processes never run in one directory, and a dead one does not hold it", async (t) => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "sleep 300") });
  const first = startCli(args, { cwd: project.dir });
  t.after(() => first.child.kill("SIGKILL"));
  await first.waitFor("running 1 task");
  const second = await runCli(resume, { cwd: project.dir });
  assert.equal(second.code, 2);
  assert.match(second.stderr, new RegExp(`process ${first.child.pid} on .* is running in `));
  first.child.kill("SIGKILL");
  await first.end;
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch done"));
  const third = await runCli(resume, { cwd: project.dir });
  assert.equal(third.code, 0, third.stderr);
  assert.match(third.stderr, /1 interrupted/);
  assert.deepEqual(
    (await read(project)).task_results[0]?.earlier_attempts.map(({ status }) => status),
    ["INTERRUPTED"],
  );
  assert.equal(existsSync(join(project.dir, "out/run.lock")), false);
});

test("a half-written lock of a dead process holds nobody up", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  await runCli(args, { cwd: project.dir });
  const dead = spawn("true");
  await once(dead, "exit");
  await writeFile(join(project.dir, "out/run.lock"), "{");
  const end = await runCli(resume, { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
});

test("--resume without a directory is a usage error; of one that holds nothing, everything runs", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "touch done") });
  const without = await runCli(["run", "tasks", "--driver", "tempdir", "--resume"], { cwd: project.dir });
  assert.equal(without.code, 2);
  assert.match(without.stderr, /--resume needs --run-dir/);
  const fresh = await runCli(resume, { cwd: project.dir });
  assert.equal(fresh.code, 0, fresh.stderr);
  assert.match(fresh.stderr, /holds no run to continue: every task is run/);
  assert.equal((await read(project)).resume, null);
});
