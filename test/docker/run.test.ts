import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { labelNames } from "../../src/sandbox/docker/labels.ts";
import { containerListSchema } from "../../src/sandbox/docker/responses.ts";
import { makeProject, runCli, runFile, startCli } from "../e2e/cli.ts";
import { dockerTest, testImage } from "./engine.ts";

// The whole command line on a real engine, seen from the outside.

function task(id: string, body: string, docker = `image: ${testImage}`): string {
  return `task_id: ${id}\ndescription: ${id}\nsandbox: {driver: docker, docker: {network: none, ${docker}}, python: null}\n${body}`;
}

const passes = 'success_criteria:\n  - {type: run_command, description: fine, command: "true"}\n';
const noAgent = `agent: {type: none}\n${passes}`;
const command = (line: string): string => `initial_prompt: do it\nagent: {type: command, command: '${line}'}\n`;

/** Keys of the tasks that have a container, running or not. */
async function containersOf(engine: Engine, tasks: RegExp): Promise<string[]> {
  const containers = await engine.client.json(containerListSchema, { method: "GET", path: "/containers/json", query: { all: true } });
  return containers.flatMap(({ Labels }) => Labels?.[labelNames.task] ?? []).filter((key) => tasks.test(key));
}

const resultFile = z.object({
  error_message: z.string().nullable(),
  error_details: z.object({ error_category: z.string(), error_tip: z.string().nullable() }).nullable(),
  error_log_tail: z.string().nullable(),
  evalbatch: z.object({ out_of_memory: z.boolean(), processes_killed: z.number().nullable() }),
});

dockerTest("a broken Dockerfile is BUILD_FAILED with its log, an image that can't be had is ERROR, and the others run", async () => {
  await using project = await makeProject({
    "a.yaml": task("builds-not", noAgent, "dockerfile_path: image/Dockerfile"),
    "image/Dockerfile": `FROM ${testImage}\nRUN echo about to fail && exit 7\n`,
    // A port where nothing listens: refused at once, on any machine.
    "b.yaml": task("no-image", noAgent, 'image: "127.0.0.1:1/example/missing:1"'),
    "c.yaml": task("passes", noAgent),
  });
  const end = await runCli(["run", ".", "-o", "out", "-j", "3"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(
    run.task_results.map((row) => [row.task_id, row.status, row.weighted_score]),
    [
      ["builds-not", "BUILD_FAILED", null],
      ["no-image", "ERROR", null],
      ["passes", "SUCCESS", 1],
    ],
  );
  const failed = await project.readJson("out/default/builds-not/00/task.json", resultFile);
  assert.match(failed.error_log_tail ?? "", /about to fail/);
  assert.ok(!`${failed.error_log_tail}${failed.error_message}`.includes("\u001b"));
  assert.match(await project.readText("out/default/builds-not/00/docker.log"), /about to fail/);
  const missing = await project.readJson("out/default/no-image/00/task.json", resultFile);
  assert.equal(missing.error_details?.error_category, "image_error");
});

dockerTest("what the agent left running is dead before anything is graded", async () => {
  const agent = command('(trap "" TERM HUP; while :; do date > tick; sleep 0.1; done) & echo started');
  const criteria =
    'success_criteria:\n  - {type: run_command, description: the file stands still, command: "cat tick > a; sleep 0.5; cat tick > b; cmp a b"}\n';
  await using project = await makeProject({ "a.yaml": task("a", agent + criteria) });
  const end = await runCli(["run", "a.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 0, `${end.stderr}${end.stdout}`);
  const result = await project.readJson("out/default/a/00/task.json", resultFile);
  assert.ok((result.evalbatch.processes_killed ?? 0) > 0);
});

dockerTest("nothing of the criteria is in the container while the agent is, nor the way to the task's folder", async () => {
  // Put together by the shell: the command itself does not hold the word that it looks for.
  const search = 'find / ( -path /proc -o -path /sys -o -path /dev ) -prune -o -type f -exec grep -l "$m"rion-marker {} +';
  const agent = command(`m=crite; ${search.replaceAll(/[()]/g, "\\$&")} > found; env > env; grep -c . env`);
  const checks = [
    'grep -q criterion-marker "$TASK_DIR/a.yaml"',
    "cat found && test ! -s found",
    "test -s env && ! grep -E criterion-marker\\|TASK_DIR env",
  ];
  const criteria = `success_criteria:\n${checks.map((line) => `  - {type: run_command, description: criterion-marker, command: '${line}'}\n`).join("")}`;
  await using project = await makeProject({ "a.yaml": task("a", agent + criteria) });
  const end = await runCli(["run", "a.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 0, `${end.stderr}${end.stdout}`);
});

dockerTest("an agent that the memory limit killed is told apart, and still judged by what it left", async () => {
  const eat = 'echo done > out.txt; exec awk "BEGIN { s = \\"x\\"; while (1) s = s s }"';
  const body = (path: string): string => `${command(eat)}success_criteria:\n  - {type: file_exists, description: left, path: ${path}}\n`;
  const limited = (id: string, path: string): string =>
    task(id, body(path)).replace("python: null", "python: null, limits: {max_memory_mb: 64}");
  await using project = await makeProject({ "a.yaml": limited("done-first", "out.txt"), "b.yaml": limited("not-done", "other.txt") });
  const end = await runCli(["run", ".", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 1);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(
    run.task_results.map((row) => [row.task_id, row.status]),
    [
      ["done-first", "SUCCESS"],
      ["not-done", "ERROR"],
    ],
  );
  for (const id of ["done-first", "not-done"]) {
    assert.equal((await project.readJson(`out/default/${id}/00/task.json`, resultFile)).evalbatch.out_of_memory, true, id);
  }
  assert.equal((await project.readJson("out/default/not-done/00/task.json", resultFile)).error_details?.error_category, "out_of_memory");
});

dockerTest("the task's directory is there for criteria that ask for it, and not while the agent works", async () => {
  const agent = command('find / -name answer.txt -not -path "/proc/*" > found.txt 2>/dev/null; env > env.txt');
  const criteria = `success_criteria:
  - {type: run_command, description: the agent saw nothing, command: "! test -s found.txt && ! grep -q TASK_DIR env.txt"}
  - {type: run_command, description: the criterion sees it, command: 'grep -q 42 "$TASK_DIR/answer.txt"'}
`;
  await using project = await makeProject({ "t/a.yaml": task("a", agent + criteria), "t/answer.txt": "42\n" });
  const end = await runCli(["run", "t", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 0, `${end.stderr}${end.stdout}`);
});

dockerTest("only allow-listed variables reach a task, and a secret among them stands in no file", async () => {
  const agent = command("env > env.txt; echo $DEMO_API_KEY; exit 0");
  const criteria =
    "success_criteria:\n  - {type: file_contains, description: has it, path: env.txt, includes: [DEMO_API_KEY=, DEMO_REGION=here], excludes: [RUNNER_TEMP, GITHUB_TOKEN, OTHER]}\n";
  const yaml = task(
    "a",
    agent + criteria,
    `image: ${testImage}, env_passthrough_extra: [DEMO_API_KEY, DEMO_REGION, RUNNER_TEMP, GITHUB_TOKEN]`,
  );
  await using project = await makeProject({ "a.yaml": yaml });
  const secret = "s3cr3t-value-0123456789";
  const env = { DEMO_API_KEY: secret, DEMO_REGION: "here", RUNNER_TEMP: "/canary", GITHUB_TOKEN: "canary-token", OTHER: "x" };
  const end = await runCli(["run", "a.yaml", "-o", "out", "-v"], { cwd: project.dir, env });
  assert.equal(end.code, 0, `${end.stderr}${end.stdout}`);
  const files = [
    "out/run.json",
    "out/run.md",
    "out/run.html",
    "out/experiment.log",
    "out/default/a/00/task.json",
    "out/default/a/00/task.log",
  ];
  for (const path of files) assert.ok(!(await project.readText(path)).includes(secret), path);
  assert.ok(!end.stderr.includes(secret) && !end.stdout.includes(secret));
  assert.match(await project.readText("out/default/a/00/task.log"), /GITHUB_TOKEN/);
});

dockerTest("files that the agent plants where it guesses the checks will lie are not there when they run", async () => {
  const agent = command("mkdir -p /evalbatch/task && echo exit 0 > /evalbatch/task/lib.sh");
  const criteria = "success_criteria:\n  - {type: run_command, description: judged by the check, command: 'sh \"$TASK_DIR/check.sh\"'}\n";
  await using project = await makeProject({
    "t/a.yaml": task("a", agent + criteria),
    "t/check.sh": 'cd "$TASK_DIR" && [ -e lib.sh ] && . ./lib.sh\ntest -e answer.txt\n',
  });
  assert.equal((await runCli(["run", "t", "-o", "out"], { cwd: project.dir })).code, 1);
});

dockerTest("a secret that arrives in two pieces is still hidden", async () => {
  const secret = "hunter2hunter2-0123456789";
  const agent = command(`printf ${secret.slice(0, 10)}; sleep 0.4; echo ${secret.slice(10)}; exit 0`);
  const yaml = task("a", agent + passes, `image: ${testImage}, env_passthrough_extra: [DEMO_API_KEY]`);
  await using project = await makeProject({ "a.yaml": yaml });
  const end = await runCli(["run", "a.yaml", "-o", "out", "-v"], { cwd: project.dir, env: { DEMO_API_KEY: secret } });
  assert.equal(end.code, 0, end.stderr);
  assert.doesNotMatch(end.stderr, /hunter2hun/);
  assert.doesNotMatch(await project.readText("out/default/a/00/task.log"), /stdout\] hunter2hun/);
});

dockerTest("a huge time limit is no limit, instead of none at all", async () => {
  const yaml = `${task("a", command("echo fine") + passes)}run_limits: {task_timeout: 99999999, turn_timeout: 99999999}\n`;
  await using project = await makeProject({ "a.yaml": yaml });
  const end = await runCli(["run", "a.yaml", "-o", "out"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
});

dockerTest("a verdict that was reached is kept when the stop comes during post_run", async () => {
  const yaml = `${task("a", noAgent)}post_run: [{command: "echo post; sleep 100", timeout: 120}]\n`;
  await using project = await makeProject({ "a.yaml": yaml });
  const running = startCli(["run", "a.yaml", "-o", "out"], { cwd: project.dir });
  const log = `${project.dir}/out/default/a/00/task.log`;
  while (!existsSync(log) || !(await project.readText("out/default/a/00/task.log")).includes("post_run command")) await delay(50);
  running.child.kill("SIGINT");
  const end = await running.end;
  assert.equal(end.code, 130);
  const run = await project.readJson("out/run.json", runFile);
  assert.deepEqual(
    run.task_results.map((row) => row.status),
    ["SUCCESS"],
  );
});

dockerTest("Ctrl-C with eight containers that ignore signals ends within 6 s and leaves none", async (engine) => {
  const stubborn = `${command('trap "" TERM INT HUP; echo up; while :; do sleep 1; done')}${passes}`;
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`t/${i}.yaml`, task(`t${i}`, stubborn)]));
  await using project = await makeProject(files);
  const running = startCli(["run", "t", "-o", "out", "-j", "8", "-v"], { cwd: project.dir });
  for (let i = 0; i < 8; i += 1) await running.waitFor(`t${i} stdout | up`);
  const startedMs = performance.now();
  running.child.kill("SIGINT");
  const end = await running.end;
  const seconds = (performance.now() - startedMs) / 1000;
  assert.equal(end.code, 130, end.stderr);
  assert.ok(seconds < 6, `took ${seconds.toFixed(1)} s`);
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.not_run.length, 8);
  assert.deepEqual(await containersOf(engine, /^default\/t[0-7]\/00$/), []);
});

dockerTest("what a killed process leaves is swept by the next run, and its plan tells what was lost", async (engine) => {
  const long = `${command("echo up; sleep 300")}${passes}`;
  await using project = await makeProject({ "a.yaml": task("swept-a", long), "b.yaml": task("swept-b", noAgent) });
  const killed = startCli(["run", "a.yaml", "-o", "one", "-v"], { cwd: project.dir });
  await killed.waitFor("stdout | up");
  killed.child.kill("SIGKILL");
  await killed.end;
  assert.equal(existsSync(`${project.dir}/one/run.json`), false);
  await delay(100);
  const next = await runCli(["run", "b.yaml", "-o", "two"], { cwd: project.dir });
  assert.equal(next.code, 0, next.stderr);
  // By this run or, at the same moment, by another of this machine.
  assert.deepEqual(await containersOf(engine, /^default\/swept-a\/00$/), []);
  const rebuilt = await runCli(["report", "one", "--rebuild"], { cwd: project.dir });
  assert.notEqual(rebuilt.code, 2, rebuilt.stderr);
  const run = await project.readJson("one/run.json", runFile);
  assert.deepEqual([run.verdict, run.tasks_planned, run.not_run.map((row) => row.task_id)], ["incomplete", 1, ["swept-a"]]);
});

dockerTest("no engine: one message with the remedy, exit 2, and no run directory", async () => {
  await using project = await makeProject({ "a.yaml": task("a", noAgent) });
  const end = await runCli(["run", "a.yaml", "-o", "out"], { cwd: project.dir, env: { DOCKER_HOST: `unix://${project.dir}/none.sock` } });
  assert.equal(end.code, 2);
  assert.match(end.stderr, /error: .*none\.sock/s);
  assert.match(end.stderr, /hint: /);
  assert.equal(existsSync(`${project.dir}/out/plan.json`), false);
});
