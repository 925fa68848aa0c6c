import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import test from "node:test";
import { z } from "zod";
import { type CliEnd, makeProject, type Project, runCli } from "./cli.ts";

// Run directories that coder_eval wrote, continued here with their own task files (its scripted agent as a command, its waits left out).
// Where coder_eval keeps other rows than we do, the test says so.

const fixtures = resolve(import.meta.dirname, "../fixtures");

const resumed = z.object({
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  resume: z.object({ attempt: z.number(), rows_kept: z.number(), rows_to_run: z.number(), reasons: z.record(z.string(), z.number()) }),
  drift: z.array(z.object({ field: z.string(), before: z.string().nullable(), now: z.string().nullable(), benign: z.boolean() })),
  set_aside: z.array(z.object({ path: z.string(), reason: z.string(), moved_to: z.string().nullable() })),
  unreadable: z.array(z.unknown()),
  warnings: z.array(z.string()),
  task_results: z.array(
    z.object({
      task_id: z.string(),
      status: z.string(),
      kept: z.boolean(),
      attempt: z.number(),
      earlier_attempts: z.array(z.object({ status: z.string(), reason: z.string().nullable() })),
    }),
  ),
});

type Resumed = z.output<typeof resumed>;

/** A project with task files and a copy of a run directory, `run`. */
async function projectOf(tasks: string, run: string): Promise<Project> {
  const project = await makeProject({});
  await cp(join(fixtures, tasks), join(project.dir, "tasks"), { recursive: true });
  await cp(join(fixtures, run), join(project.dir, "run"), { recursive: true });
  return project;
}

async function resume(project: Project, ...args: string[]): Promise<{ end: CliEnd; run: Resumed }> {
  const end = await runCli(["run", "tasks", "--run-dir", "run", "--resume", ...args], { cwd: project.dir });
  assert.match(end.stderr, /continuing, attempt/);
  return { end, run: await project.readJson("run/run.json", resumed) };
}

const idsOf = (run: Resumed, wanted: (row: Resumed["task_results"][number]) => boolean) =>
  run.task_results.filter(wanted).map(({ task_id }) => task_id);

const kept = (run: Resumed) => idsOf(run, (row) => row.kept);

for (const { name, keeps, again } of [
  // coder_eval: "4 task(s) already complete, running 4 remaining", and two rows stay failures for ever.
  { name: "interrupted", keeps: ["wait-agent-1", "wait-check-1"], again: ["wait-agent-3", "wait-check-4"] },
  { name: "interrupted-0.12.16", keeps: ["wait-agent-3", "wait-check-1"], again: ["wait-agent-1", "wait-agent-4"] },
]) {
  test(`${name}: what Ctrl-C cut short runs again, where coder_eval takes it for finished`, async () => {
    await using project = await projectOf("upstream/interrupted/tasks", `upstream/${name}/run`);
    const { end, run } = await resume(project, "-j", "2");
    assert.deepEqual(kept(run), keeps);
    assert.deepEqual(run.resume, { attempt: 2, rows_kept: 2, rows_to_run: 6, reasons: { interrupted: 2, missing: 4 } });
    assert.deepEqual(
      idsOf(run, (row) => row.earlier_attempts.some(({ status }) => status === "INTERRUPTED")),
      again,
    );
    // As the run would have ended without the interruption: the last check fails on purpose.
    assert.deepEqual([run.tasks_succeeded, run.tasks_failed, run.tasks_error], [7, 1, 0]);
    assert.deepEqual(
      idsOf(run, (row) => row.status === "FAILURE"),
      ["wait-check-4"],
    );
    assert.equal(end.code, 1);
    assert.deepEqual(run.set_aside, []);
    assert.deepEqual(run.drift, []);
    assert.match(end.stderr, /2 results kept, 6 to run \(4 missing, 2 interrupted\)/);
  });
}

test("terminated: as in coder_eval two results are kept and six rows run, and what the killed tasks left is gone", async () => {
  await using project = await projectOf("upstream/interrupted/tasks", "upstream/terminated/run");
  const stale = join(project.dir, "run/default/wait-agent-1/00/artifacts/wait-agent-1/begun.txt");
  await writeFile(stale, "of the killed attempt");
  const { run } = await resume(project, "-j", "2");
  assert.deepEqual(kept(run), ["wait-check-1", "wait-check-4"]);
  assert.equal(run.resume.rows_to_run, 6);
  assert.deepEqual([run.tasks_succeeded, run.tasks_failed], [7, 1]);
  assert.doesNotMatch(await readFile(stale, "utf8"), /of the killed attempt/);
  assert.deepEqual(
    run.drift.map(({ field, benign }) => [field, benign]),
    [["preservation_mode", true]],
    "another place for the files changes no result",
  );
});

test("damaged: three results are kept and three repaired, as in coder_eval; every file that was not used is listed with its reason", async () => {
  await using project = await projectOf("upstream/damaged/tasks", "results/damaged");
  await cp(join(fixtures, "upstream/damaged/resume_fingerprint.json"), join(project.dir, "run/resume_fingerprint.json"));
  const { run } = await resume(project, "-j", "1");
  assert.deepEqual(kept(run), ["passes", "prepared-files", "scripted-greeting"]);
  assert.deepEqual(run.resume.reasons, { unreadable: 3 });
  assert.deepEqual(
    run.task_results.map(({ task_id, status }) => `${task_id} ${status}`),
    [
      "low-score FAILURE",
      "passes SUCCESS",
      "prepared-files SUCCESS",
      "scripted-greeting SUCCESS",
      "setup-fails ERROR",
      // 0.8.2 says FAILURE: a criterion of weight 0 is informational since 0.8.9.
      "zero-weight-fails SUCCESS",
    ],
  );
  assert.deepEqual(
    run.set_aside.map(({ path, moved_to }) => [path, moved_to]),
    [
      ["default/empty-task/00/task.json", null],
      ["default/extra/03/task.json", null],
      ["default/list-task/00/task.json", null],
      ["default/low-score/00/task.json", "default/low-score/00/task.json.unreadable"],
      ["default/odd/7/task.json", null],
      ["default/odd/x/task.json", null],
      ["default/passes-copy/00/task.json", null],
      ["default/setup-fails/00/task.json", "default/setup-fails/00/task.json.unreadable"],
      ["default/zero-weight-fails/00/task.json", "default/zero-weight-fails/00/task.json.unreadable"],
    ],
  );
  for (const { path, moved_to, reason } of run.set_aside) {
    assert.notEqual(reason, "");
    assert.ok(existsSync(join(project.dir, "run", moved_to ?? path)), path);
  }
  assert.deepEqual(run.unreadable, []);
  assert.doesNotMatch(await project.readText("run/run.json"), /forged-by-agent/);
  assert.deepEqual(run.warnings, ["nested/shard-2 is a run of its own and was left out"]);
  const again = await resume(project, "-j", "1");
  assert.deepEqual(kept(again.run).length, 6, "what was repaired stays");
  assert.deepEqual(again.run.drift, []);
});

test("a result that was never graded runs again, where 0.12 grades it in place", async () => {
  await using project = await projectOf("upstream/all-pass", "upstream/execute-0.12.16/run");
  const { end, run } = await resume(project, "-j", "1");
  assert.deepEqual(run.resume.reasons, { "not graded": 2 });
  assert.deepEqual(
    run.task_results.map(({ task_id, status, attempt, earlier_attempts }) => [task_id, status, attempt, earlier_attempts[0]?.status]),
    [
      ["prepared-files", "SUCCESS", 2, "NOT_GRADED"],
      ["template-copy", "SUCCESS", 2, "NOT_GRADED"],
    ],
  );
  assert.equal(end.code, 0);
});

const firstArgs = ["--model", "model-a", "--tags", "smoke,area:setup,area:limits", "-j", "2"];
const otherArgs = ["--model", "model-b", "-D", "run_limits.max_turns=7", "--tags", "area:setup,area:limits,smoke", "-j", "1", "--verbose"];

async function driftProject(fingerprint?: string): Promise<Project> {
  const project = await projectOf("upstream/drift/tasks", "upstream/drift/run");
  const first = await readFile(join(fixtures, "upstream/drift/fingerprint-1-first.json"), "utf8");
  await writeFile(join(project.dir, "run/resume_fingerprint.json"), fingerprint ?? first);
  return project;
}

test("drift: what changed is told against coder_eval's stamp; the order of tags and how a run is executed are no change", async () => {
  await using project = await driftProject();
  const { end, run } = await resume(project, ...otherArgs);
  assert.equal(run.resume.rows_kept, 4);
  assert.deepEqual(
    run.drift.map(({ field, before, now, benign }) => ({ field, before, now, benign })),
    [
      { field: "overrides.agent.model", before: '"model-a"', now: '"model-b"', benign: false },
      { field: "overrides.run_limits.max_turns", before: null, now: "7", benign: false },
      { field: "max_parallel", before: "2", now: "1", benign: true },
      { field: "verbose", before: "false", now: "true", benign: true },
    ],
  );
  assert.match(end.stderr, /warning: +overrides\.agent\.model: "model-a" → "model-b"/);
  const same = await resume(project, ...otherArgs.map((arg) => (arg.startsWith("area:setup") ? "smoke,area:limits,area:setup" : arg)));
  assert.deepEqual(same.run.drift, [], "coder_eval warns here");
  assert.doesNotMatch(same.end.stderr, /have changed/);
});

test("drift: nothing has changed for the same command in another order and with another spelling of the directory", async () => {
  await using project = await driftProject();
  const args = ["--run-dir", "./run", ...firstArgs.map((arg) => (arg.startsWith("smoke") ? "area:limits,smoke,area:setup" : arg))];
  const { end, run } = await resume(project, ...args);
  assert.deepEqual(run.drift, []);
  assert.doesNotMatch(end.stderr, /have changed/);
});

test("drift: with rerun the results that coder_eval made under other settings are made again, with fail nothing is touched", async () => {
  await using project = await driftProject();
  const before = await project.readText("run/run.json");
  const refused = await runCli(["run", "tasks", "--run-dir", "run", "--resume", "--on-drift", "fail", ...otherArgs], { cwd: project.dir });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /changed since the earlier attempt: overrides\.agent\.model/);
  assert.equal(await project.readText("run/run.json"), before);
  const { run } = await resume(project, "--on-drift", "rerun", ...otherArgs);
  assert.deepEqual(run.resume, { attempt: 2, rows_kept: 0, rows_to_run: 4, reasons: { drift: 4 } });
});

test("drift: other tags choose other rows, but make no result stale", async () => {
  await using project = await driftProject();
  const { run } = await resume(project, "--on-drift", "rerun", "--model", "model-a", "--tags", "smoke", "-j", "2");
  assert.equal(run.resume.rows_to_run, 0);
  assert.deepEqual(kept(run), ["low-score", "prepared-files"]);
  assert.deepEqual(
    run.set_aside.map(({ path, reason }) => [path, reason]),
    ["setup-fails", "token-budget"].map((id) => [`default/${id}/00/task.json`, "not part of the plan"]),
  );
});

test("drift: no stamp, and one that is none, cost neither the results nor the resume", async () => {
  for (const [fingerprint, warnings] of [
    [undefined, []],
    ["[1,2]", [/resume_fingerprint\.json could not be read.*expected an object/]],
    ["{", [/resume_fingerprint\.json could not be read/]],
  ] as const) {
    await using project = await driftProject(fingerprint ?? "");
    if (fingerprint === undefined) await rm(join(project.dir, "run/resume_fingerprint.json"));
    const { run } = await resume(project, ...otherArgs);
    assert.equal(run.resume.rows_kept, 4);
    assert.deepEqual(run.drift, []);
    assert.equal(run.warnings.length, warnings.length);
    for (const [index, expected] of warnings.entries()) assert.match(run.warnings[index] ?? "", expected);
    assert.match(await project.readText("run/resume_fingerprint.json"), /"agent\.model": "model-b"/);
  }
});
