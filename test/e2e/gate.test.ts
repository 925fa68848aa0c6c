import assert from "node:assert/strict";
import test from "node:test";
import { z } from "zod";
import { makeProject, noneTask, runCli } from "./cli.ts";

const passing = noneTask("passes", 'success_criteria:\n  - {type: run_command, description: fine, command: "true"}\n');
const failing = noneTask("fails", "success_criteria:\n  - {type: file_exists, description: a file is there, path: nowhere.txt}\n");
const erring = (id: string) =>
  noneTask(id, 'pre_run: [{command: "exit 3"}]\nsuccess_criteria:\n  - {type: file_exists, description: x, path: x}\n');

const gateFile = z.looseObject({
  verdict: z.string(),
  verdict_reasons: z.array(z.string()),
  gate: z.looseObject({ passes: z.boolean(), fail_on: z.string(), min_pass_rate: z.number().nullable() }),
});
const planFile = z.looseObject({ gate: z.record(z.string(), z.unknown()) });

test("the flags of the gate decide the exit code, and the verdict knows only the thresholds", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing, "tasks/fails.yaml": failing });
  const cases = [
    [[], 1, "failed"],
    [["--fail-on", "error"], 0, "failed"],
    [["--fail-on", "never", "--min-task-score", "1"], 0, "failed"],
    [["--min-pass-rate", "50%"], 0, "passed"],
    [["--min-pass-rate", ".51"], 1, "failed"],
    [["--fail-on", "error", "--min-pass-rate", "0.9"], 1, "failed"],
    [["--min-pass-rate", "0.5", "--min-task-score", "0.1"], 1, "failed"],
  ] as const;
  for (const [index, [flags, code, verdict]] of cases.entries()) {
    const end = await runCli(["run", "tasks", "-o", `out${index}`, ...flags], { cwd: project.dir });
    assert.equal(end.code, code, `${flags.join(" ")}\n${end.stderr}${end.stdout}`);
    const run = await project.readJson(`out${index}/run.json`, gateFile);
    assert.equal(run.verdict, verdict, flags.join(" "));
    assert.equal(run.gate.passes, code === 0);
  }
});

test("the policy stands in the plan, so that a run which was killed is judged by it", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing });
  const flags = ["--fail-on", "error", "--min-pass-rate", "90%", "--allow-empty"];
  assert.equal((await runCli(["run", "tasks", "-o", "out", ...flags], { cwd: project.dir })).code, 0);
  const gate = { fail_on: "error", min_pass_rate: 0.9, min_task_score: null, allow_empty: true };
  assert.deepEqual((await project.readJson("out/plan.json", planFile)).gate, gate);
});

test("a batch in which everything ends in an error exits 1 with the cause on top, whatever the rate", async () => {
  await using project = await makeProject({ "tasks/a.yaml": erring("a"), "tasks/b.yaml": erring("b") });
  const end = await runCli(["run", "tasks", "-o", "out", "--min-pass-rate", "0"], { cwd: project.dir });
  assert.equal(end.code, 1, end.stderr);
  const run = await project.readJson("out/run.json", gateFile);
  assert.match(run.verdict_reasons[0] ?? "", /^all 2 tasks ended in an error: .*(?:exit|3)/);
});

test("a share that may be a percentage is asked about before anything runs", async () => {
  await using project = await makeProject({ "tasks/passes.yaml": passing });
  for (const flags of [
    ["--min-pass-rate", "90"],
    ["--min-task-score", "NaN"],
    ["--fail-on", "always"],
  ]) {
    const end = await runCli(["run", "tasks", "-o", "out", ...flags], { cwd: project.dir });
    assert.equal(end.code, 2, flags.join(" "));
    assert.match(end.stderr, /did you mean 90%\?|such as 0\.9|Allowed choices/);
  }
});
