import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { makeProject, noneTask, runCli, runFile, startCli } from "./cli.ts";

const fixtures = resolve(import.meta.dirname, "../fixtures/upstream");
const passing = noneTask("passes", 'success_criteria:\n  - {type: run_command, description: fine, command: "true"}\n');
const failing = noneTask("fails", "success_criteria:\n  - {type: file_exists, description: a file is there, path: nowhere.txt}\n");
const sleeping = (id: string, seconds: number): string =>
  noneTask(
    id,
    `pre_run: [{command: "sleep ${seconds}", timeout: 60}]\nsuccess_criteria:\n  - {type: run_command, description: fine, command: "true"}\n`,
  );

test("a run in which everything passes exits 0 and leaves all its files", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing });
  const end = await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  for (const name of [
    "run.json",
    "run.md",
    "run.html",
    "plan.json",
    "experiment.log",
    "default/passes/00/task.json",
    "default/passes/00/task.log",
  ]) {
    assert.ok(existsSync(join(project.dir, "out", name)), name);
  }
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.verdict, "passed");
  assert.deepEqual(run.task_results, [{ task_id: "passes", status: "SUCCESS", weighted_score: 1 }]);
  assert.match(end.stderr, /\[1\/1\] SUCCESS/);
});

test("a failed criterion exits 1 and names what failed", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing, "tasks/fails.yaml": failing });
  const end = await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1);
  assert.match(end.stderr, /FAILURE .* {2}fails {2}.*file_exists: a file is there/);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(
    run.task_results.map((row) => [row.task_id, row.status]),
    [
      ["fails", "FAILURE"],
      ["passes", "SUCCESS"],
    ],
  );
});

test("one broken file becomes a skipped row, the others run, and the exit code tells", async () => {
  await using project = await makeProject({
    "tasks/passes.yaml": passing,
    "tasks/broken.yaml": 'task_id: broken\ndescription: "never closed\n',
  });
  const end = await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.tasks_succeeded, 1);
  assert.equal(run.verdict, "failed");
  assert.deepEqual(
    run.skipped_tasks.map((row) => row.path),
    ["tasks/broken.yaml"],
  );
  assert.match(end.stderr, /tasks\/broken\.yaml:2:/);
});

test("a field that is not executed yet refuses that task by name", async () => {
  const task =
    "task_id: judged\ndescription: d\ninitial_prompt: hi\nagent: {type: delegate}\nsuccess_criteria:\n  - {type: file_exists, description: x, path: x}\n";
  await using project = await makeProject({ "tasks/passes.yaml": passing, "tasks/judged.yaml": task });
  const end = await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1);
  assert.match(end.stderr, /agent\.type: not supported yet: agent type 'delegate'/);
});

test("no task at all is a set-up error, and fine when that was allowed", async () => {
  await using project = await makeProject({ "tasks/skipped.yaml": `skip: true\n${passing}` });
  const refused = await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--allow-empty|no task/);
  const allowed = await runCli(["run", "tasks", "-o", "out", "--allow-empty"], { cwd: project.dir });
  assert.equal(allowed.code, 0, allowed.stderr);
  assert.equal((await project.readJson("out/run.json", runFile)).tasks_planned, 0);
});

test("usage errors exit 2 without a stack trace", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing });
  for (const args of [
    ["run"],
    ["run", "tasks", "-j", "0"],
    ["run", "tasks", "--driver", "podman"],
    ["run", "no-such-*.yaml"],
    ["walk"],
    ["report", "nowhere"],
  ]) {
    const end = await runCli(args, { cwd: project.dir });
    assert.equal(end.code, 2, `${args.join(" ")}: ${end.stderr}`);
    assert.doesNotMatch(end.stderr, /^\s+at /m);
    assert.notEqual(end.stderr.trim(), "");
  }
});

test("a run directory that holds a run is never mixed with another", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing });
  assert.equal((await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir })).code, 0);
  const again = await runCli(["run", "tasks", "-o", "out"], { cwd: project.dir });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /already holds a run/);
});

test("without -o runs lie below runs/ and latest points at the newest", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing });
  await Promise.all([1, 2].map(() => runCli(["run", "tasks"], { cwd: project.dir })));
  const names = readdirSync(join(project.dir, "runs")).filter((name) => name !== "latest");
  assert.equal(names.length, 2);
  assert.ok(existsSync(join(project.dir, "runs/latest/run.json")));
});

test("the command agent gets the prompt as a file and on stdin, and its output is one turn", async () => {
  const task = `task_id: echo
description: d
initial_prompt: Say hello.
agent: {type: command, command: 'cat > stdin.txt; cp "$EVALBATCH_PROMPT_FILE" file.txt; echo done; exit 3'}
sandbox: {python: null}
success_criteria:
  - {type: file_contains, description: stdin, path: stdin.txt, includes: [Say hello., "Your working directory is: "]}
  - {type: run_command, description: same, command: cmp stdin.txt file.txt}
`;
  await using project = await makeProject({ "echo.yaml": task });
  const end = await runCli(["run", "echo.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  const turns = z.object({
    iterations: z.array(z.object({ agent_output: z.string(), result_summary: z.object({ is_error: z.boolean(), subtype: z.string() }) })),
  });
  const { iterations } = await project.readJson("out/default/echo/00/task.json", turns);
  assert.equal(iterations.length, 1);
  const { sandbox_path } = await project.readJson("out/default/echo/00/task.json", z.object({ sandbox_path: z.string() }));
  assert.equal(sandbox_path, "out/default/echo/00/artifacts/echo");
  assert.deepEqual(iterations[0]?.result_summary, { is_error: true, subtype: "exit_code_3" });
  assert.match(iterations[0]?.agent_output ?? "", /done/);
});

test("a task timeout is TIMEOUT, a shorter turn timeout is ERROR", async () => {
  const task = (id: string, limits: string) => `task_id: ${id}
description: d
initial_prompt: hi
agent: {type: command, command: 'echo early > early.txt; sleep 60'}
sandbox: {python: null}
run_limits: ${limits}
success_criteria:
  - {type: file_exists, description: early, path: early.txt}
`;
  await using project = await makeProject({ "a.yaml": task("turn", "{task_timeout: 40, turn_timeout: 10}") });
  const end = await runCli(["run", "a.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1);
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.task_results[0]?.status, "ERROR");
  const details = z.object({
    error_details: z.object({ error_category: z.string() }),
    error_message: z.string(),
    post_failure_criteria_results: z.array(z.object({ score: z.number() })),
  });
  const result = await project.readJson("out/default/turn/00/task.json", details);
  assert.equal(result.error_details.error_category, "agent_timeout");
  assert.equal(result.error_message, "Agent turn timed out after 10s");
  assert.deepEqual(result.post_failure_criteria_results, [{ score: 1 }]);
});

test("Ctrl-C keeps what is finished, lists the rest with its reason, and exits 130", async () => {
  await using project = await makeProject({
    "a.yaml": passing,
    "b.yaml": sleeping("b", 50),
    "c.yaml": sleeping("c", 50),
    "d.yaml": sleeping("d", 50),
  });
  const running = startCli(["run", "a.yaml", "b.yaml", "c.yaml", "d.yaml", "-o", "out", "-j", "1"], { cwd: project.dir });
  await running.waitFor("[1/4] SUCCESS");
  running.child.kill("SIGINT");
  const end = await running.end;
  assert.equal(end.code, 130, end.stderr);
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.interrupted, true);
  assert.equal(run.tasks_run, 1);
  assert.deepEqual(
    run.not_run.map(({ task_id, reason }) => [task_id, reason]),
    [
      ["b", "interrupted while running"],
      ["c", "cancelled"],
      ["d", "cancelled"],
    ],
  );
  assert.equal(existsSync(join(project.dir, "out/default/b/00/task.json")), false);
  assert.match(end.stderr, /not run {4}b {2}interrupted while running\n[\s\S]*note: 2 tasks were not started: cancelled\n/);
});

test("a reader that goes away costs neither the run nor its results", async () => {
  await using project = await makeProject({ "a.yaml": passing, "b.yaml": failing });
  const running = startCli(["run", "a.yaml", "b.yaml", "-o", "out", "-j", "1"], { cwd: project.dir });
  running.child.stderr?.destroy();
  running.child.stdout?.destroy();
  const end = await running.end;
  assert.equal(end.code, 1);
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.tasks_run, 2);
});

test("a run directory that can't be made is no bug of ours", async () => {
  await using project = await makeProject({ "a.yaml": passing, file: "" });
  const end = await runCli(["run", "a.yaml", "-o", "file/out"], { cwd: project.dir });
  assert.equal(end.code, 2);
  assert.doesNotMatch(end.stderr, /internal error|bug/);
});

test("RUNS_DIR names the folder of the runs", async () => {
  await using project = await makeProject({ "a.yaml": passing });
  const end = await runCli(["run", "a.yaml"], { cwd: project.dir, env: { RUNS_DIR: "elsewhere" } });
  assert.equal(end.code, 0, end.stderr);
  assert.ok(existsSync(join(project.dir, "elsewhere/latest/run.json")));
});

test("ignore patterns of the task also hold for globs in criterion paths", async () => {
  const body = 'success_criteria:\n  - {type: file_exists, description: only there, path: "*/x.txt"}\n';
  const task = noneTask("ignored", `pre_run: [{command: "mkdir hidden && echo x > hidden/x.txt"}]\n${body}`);
  await using project = await makeProject({
    "all.yaml": task,
    "less.yaml": task.replace("python: null", "python: null, ignore_patterns: [hidden]"),
  });
  assert.equal((await runCli(["run", "all.yaml", "-o", "all"], { cwd: project.dir })).code, 0);
  assert.equal((await runCli(["run", "less.yaml", "-o", "less"], { cwd: project.dir })).code, 1);
});

test("golden: the tasks of upstream's all-pass run succeed here too", async () => {
  await using project = await makeProject({});
  await cp(join(fixtures, "all-pass"), project.dir, { recursive: true });
  const end = await runCli(["run", ".", "-o", "out"], { cwd: project.dir });
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(
    run.task_results.map((row) => [row.task_id, row.status, row.weighted_score]),
    [
      ["prepared-files", "SUCCESS", 1],
      ["template-copy", "SUCCESS", 1],
    ],
  );
  assert.equal(end.code, 0, end.stderr);
});

test("golden: the rows of upstream's mixed run that need no scripted agent end in the same statuses", async () => {
  await using project = await makeProject({});
  await cp(join(fixtures, "mixed"), project.dir, { recursive: true });
  // No image from anywhere in this test: the row without an image has a test of its own beside the engine.
  const end = await runCli(["run", ".", "!docker-no-image.yaml", "-o", "out", "-j", "4"], { cwd: project.dir });
  assert.equal(end.code, 1);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(Object.fromEntries(run.task_results.map((row) => [row.task_id, `${row.status} ${row.weighted_score}`])), {
    "agent-not-installed": "ERROR 0",
    "low-score": "FAILURE 0.75",
    passes: "SUCCESS 1",
    "setup-fails": "ERROR 0",
    "setup-optional": "SUCCESS 1",
    "setup-times-out": "ERROR 0",
    "template-missing": "ERROR 0",
    "under-threshold-lowered": "SUCCESS 0.5",
    "unknown-field": "SUCCESS 1",
    // 0.8.2 says FAILURE: a criterion of weight 0 is informational since 0.8.9 (docs/formats.md).
    "zero-weight-fails": "SUCCESS 1",
  });
  assert.deepEqual(
    run.skipped_tasks.map((row) => row.path),
    ["broken-yaml.yaml", "invalid-task.yaml", "none-agent-with-prompt.yaml", "quarantined.yaml"],
  );
});
