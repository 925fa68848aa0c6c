import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { holdsCommand } from "../unit/untrusted/runner-parser.ts";
import { annotations, canaries, makeJob, noBundle, runAction, startAction, taskYaml, wantsEverything } from "./action-process.ts";

const options = { skip: noBundle };
const tempdir = { driver: "tempdir", tasks: "evals" };

test("a run in which every task passes ends with 0 and says so in outputs and summary", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", taskYaml("b", "touch done"));
  const ended = await runAction(job, { inputs: { ...tempdir, "run-dir": "out/run" } });
  assert.equal(ended.exitCode, 0, ended.stdout + ended.stderr);
  const runDir = join(job.workspace, "out/run");
  assert.deepEqual(ended.outputs, {
    verdict: "passed",
    "run-dir": runDir,
    "run-json": join(runDir, "run.json"),
    "tasks-run": "2",
    "tasks-succeeded": "2",
    "tasks-failed": "0",
    "tasks-error": "0",
    "tasks-not-run": "0",
    "pass-rate": "1",
    // There is nothing to publish with in this job.
    "artifact-id": "",
    "artifact-url": "",
    "artifact-digest": "",
    "comment-url": "",
  });
  assert.match(ended.summary, /^## .*evals: passed, 2 of 2 tasks\n/);
  assert.ok(ended.summary.includes(readFileSync(join(runDir, "run.md"), "utf8")));
  assert.deepEqual(
    annotations(ended.stdout).filter((line) => line.startsWith("error")),
    [],
  );
  assert.equal(ended.stderr, "");
});

test("warnings of task files are marked at their place, and one that files share once", options, async (t) => {
  const job = makeJob(t);
  const doubtful = "success_criterion: 1\n";
  for (const id of ["a", "b", "c"]) job.write(`evals/${id}.yaml`, taskYaml(id, "touch done", doubtful));
  const ended = await runAction(job, { inputs: tempdir });
  assert.equal(ended.exitCode, 0, ended.stdout + ended.stderr);
  const [found, ...more] = annotations(ended.stdout).filter((line) => line.includes("success_criterion"));
  assert.match(found ?? "", /^warning .*success_criterion[\s\S]*\nthe same in 2 more files: evals\/b\.yaml, evals\/c\.yaml$/);
  assert.deepEqual(more, []);
  assert.match(ended.stdout, /^::warning [^:]*file=evals\/a\.yaml,line=5,/m);
});

test("a failed task fails the step, after summary and outputs were written", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", taskYaml("b", "true"));
  const ended = await runAction(job, { inputs: tempdir });
  assert.equal(ended.exitCode, 1, ended.stdout + ended.stderr);
  assert.equal(ended.outputs.verdict, "failed");
  assert.equal(ended.outputs["tasks-failed"], "1");
  assert.equal(ended.outputs["pass-rate"], "0.5");
  assert.match(ended.summary, /\bb\b/);
  assert.deepEqual(
    annotations(ended.stdout).filter((line) => line.startsWith("error")),
    [
      "error failed, 1 of 2 tasks passed\n1 task failed",
      "error b: it is done (file_exists, criterion 1)\nscore 0.000, needs 0.900: File 'done' does not exist",
    ],
  );
});

test("a file that cannot be loaded fails the step although every task of the others passed", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", "task_id: b\ndescriptoin: a mistake\n");
  const ended = await runAction(job, { inputs: tempdir });
  assert.equal(ended.exitCode, 1, ended.stdout + ended.stderr);
  assert.equal(ended.outputs["tasks-succeeded"], "1");
  assert.notEqual(ended.outputs.verdict, "passed");
  assert.match(ended.stdout, /b\.yaml:2/);
});

test("wrong inputs are told all at once, and the outputs say error", options, async (t) => {
  const job = makeJob(t);
  const ended = await runAction(job, { inputs: { driver: "dcoker", "max-parallel": "many", env: "no-sign-SECRETSECRET" } });
  assert.equal(ended.exitCode, 2);
  assert.deepEqual(
    annotations(ended.stdout).filter((line) => line.startsWith("error")),
    [
      'error input "tasks": expected at least one file, folder or pattern, got none',
      'error input "driver": expected "docker" or "tempdir", got "dcoker"; did you mean "docker"?',
      'error input "max-parallel": expected a whole number from 1 to 1000, got "many"',
      'error input "env": line 1 is not NAME=VALUE (a value of several lines is written NAME<<END, its lines, END)',
    ],
  );
  assert.equal(ended.outputs.verdict, "error");
  assert.equal(ended.outputs["tasks-run"], "0");
  assert.match(ended.summary, /^## ❌ evalbatch could not run the tasks\n\n```\nerror: input "tasks": expected/);
  const unmasked = ended.stdout.split("\n").filter((line) => !line.startsWith("::add-mask::"));
  assert.equal(unmasked.join("\n").includes("SECRETSECRET"), false);
});

test("a pattern without a match is an error that names it", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  const ended = await runAction(job, { inputs: { ...tempdir, tasks: "evals\nnothing/*.yaml" } });
  assert.equal(ended.exitCode, 2, ended.stdout);
  assert.match(annotations(ended.stdout).join("\n"), /nothing\/\*\.yaml/);
  assert.equal(ended.outputs.verdict, "error");
});

test("a run of nothing fails unless that is allowed", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done", "tags: [slow]\n"));
  const refused = await runAction(job, { inputs: { ...tempdir, tags: "fast" } });
  assert.notEqual(refused.exitCode, 0, refused.stdout);
  assert.notEqual(refused.outputs.verdict, "passed");
  const allowed = await runAction(job, { inputs: { ...tempdir, tags: "fast", "allow-empty": "true" } });
  assert.equal(allowed.exitCode, 0, allowed.stdout);
  assert.equal(allowed.outputs.verdict, "empty");
  assert.equal(allowed.outputs["pass-rate"], "");
});

test("a machine without a Docker engine is told what to do", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  const ended = await runAction(job, { inputs: { tasks: "evals" }, env: { DOCKER_HOST: `unix://${job.directory}/no.sock` } });
  assert.equal(ended.exitCode, 2, ended.stdout);
  assert.match(annotations(ended.stdout).join("\n"), /^error no Docker engine [\s\S]*no\.sock[\s\S]*hint:/m);
  assert.equal(ended.outputs.verdict, "error");
});

test("a runner without summary and output files still gives the verdict", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "true"));
  const env = {
    GITHUB_OUTPUT: join(job.directory, "none/output"),
    GITHUB_STEP_SUMMARY: "",
    GITHUB_STATE: join(job.directory, "none/state"),
  };
  const ended = await runAction(job, { inputs: tempdir, env });
  assert.equal(ended.exitCode, 1, ended.stdout);
  assert.match(annotations(ended.stdout).join("\n"), /^warning outputs cannot be set/m);
});

test("hostile names and output reach the log as text, never as commands", options, async (t) => {
  const job = makeJob(t);
  const hostile = "::error::forged\\n##[error]forged\\r::add-mask::a\\033[31m";
  job.write(
    "evals/a.yaml",
    taskYaml("a", `printf '${hostile}\\n'; printf '${hostile}' >&2; exit 3`).replace(
      "description: a task",
      'description: "::error::forged ##[error]forged"',
    ),
  );
  job.write("evals/::warning::x.yaml", "task_id: '::error::forged\u2028##[group]x'\n");
  const ended = await runAction(job, { inputs: tempdir, env: { RUNNER_DEBUG: "1" } });
  assert.equal(ended.exitCode, 1, ended.stdout);
  const foreign = ended.stdout
    .split("\n")
    .filter((line) => !/^::(?:error|warning|notice)(?: [^:]*)?::|^::(?:group|endgroup|add-mask)::/.test(line));
  for (const line of foreign) assert.equal(holdsCommand(line), false, line);
  for (const line of annotations(ended.stdout)) assert.doesNotMatch(line, /^\w+ forged/);
});

test("a cancelled job keeps what has finished and ends by itself before the runner would kill it", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  for (const id of ["b", "c", "d"]) job.write(`evals/${id}.yaml`, taskYaml(id, "sleep 300 & wait"));
  const { child, seen, ended } = startAction(job, { inputs: { ...tempdir, "run-dir": "out", "max-parallel": "2" } });
  while (!/SUCCESS.*\ba\b|\ba\b.*SUCCESS/.test(seen())) await new Promise((resolve) => child.stdout?.once("data", resolve));
  child.kill("SIGINT");
  // As the runner does.
  const kill = setTimeout(() => child.kill("SIGKILL"), 7500);
  const end = await ended;
  clearTimeout(kill);
  assert.equal(end.exitCode, 130, end.stdout + end.stderr);
  assert.notEqual(end.outputs.verdict, "passed");
  assert.equal(end.outputs["tasks-succeeded"], "1");
  assert.equal(end.outputs["tasks-not-run"], "3");
  assert.ok(existsSync(join(job.workspace, "out/run.json")));
  assert.ok(end.summary.length > 0);
});

test("a task sees no variable of the runner, only what it was given", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "env > done; echo given=$GIVEN >> done", wantsEverything));
  const ended = await runAction(job, { inputs: { ...tempdir, "run-dir": "out", env: "GIVEN=given-value" } });
  assert.equal(ended.exitCode, 0, ended.stdout + ended.stderr);
  const files = globSync("out/**/*", { cwd: job.workspace, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")] as const);
  assert.ok(texts.some(([name, text]) => name === "done" && text.includes("given=")));
  for (const [name, text] of texts) {
    assert.equal(text.includes("canary-of-"), false, `${name}: ${text.match(/.*canary-of-.*/)?.[0]}`);
  }
  const log = ended.stdout.replace(/^::add-mask::.*$/gm, "");
  for (const value of Object.values(canaries)) assert.equal(log.includes(value), false, value);
});

test("the post step is quiet when there is nothing to do", options, async (t) => {
  const job = makeJob(t);
  for (const env of [{}, { STATE_run: "never-was", DOCKER_HOST: `unix://${job.directory}/no.sock` }]) {
    const ended = await runAction(job, { door: "post", env });
    assert.deepEqual([ended.exitCode, ended.stdout, ended.stderr], [0, "", ""]);
  }
});
