import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { makeProject, type Project, runCli, startCli } from "./cli.ts";

// A run that is continued with other tasks, replicates or variants than before.

const runSchema = z.object({
  experiment: z.object({ id: z.string() }).nullable(),
  tasks_planned: z.number(),
  pass_rate: z.number().nullable(),
  resume: z.object({ rows_kept: z.number(), rows_to_run: z.number() }),
  drift: z.array(z.object({ kind: z.string(), field: z.string(), benign: z.boolean(), tasks: z.array(z.string()) })),
  set_aside: z.array(z.object({ path: z.string() })),
});

const task = (id: string, command = "touch done"): string => `task_id: ${id}
description: ${id}
initial_prompt: do it
tags: [${id.toLowerCase()}]
agent: {type: command, command: '${command}'}
sandbox: {python: null}
success_criteria:
  - {type: run_command, description: as wished, command: 'test -e done'}
`;
const dataset = (text: string): string =>
  `${task("d")}dataset: {rows: [{id: x, text: one}, {id: y, text: ${text}}]}\n`.replace("do it", `say \${row.text}`);
const experiment = `experiment_id: e
description: e
variants:
  - variant_id: v1
  - variant_id: v2
    run_limits: {task_timeout: 99}
`;

async function resumeWith(project: Project, ...flags: string[]): Promise<z.infer<typeof runSchema>> {
  const end = await runCli(["run", ...flags, "--driver", "tempdir", "--run-dir", "out", "--resume"], { cwd: project.dir });
  assert.ok(end.code === 0 || end.code === 1, end.stderr);
  return project.readJson("out/run.json", runSchema);
}

const grave = ({ drift }: z.infer<typeof runSchema>) => drift.filter(({ benign, kind }) => !benign && kind === "content");

test("what results of other tasks were made with is still known when these are asked for again", async () => {
  await using project = await makeProject({ "tasks/a.yaml": task("a"), "tasks/d.yaml": dataset("two") });
  await runCli(["run", "tasks", "--driver", "tempdir", "--run-dir", "out"], { cwd: project.dir });
  const some = await resumeWith(project, "tasks", "--tags", "a");
  assert.deepEqual([some.tasks_planned, some.set_aside.length], [1, 2]);
  await writeFile(join(project.dir, "tasks/d.yaml"), dataset("zwei"));
  await rename(join(project.dir, "tasks/a.yaml"), join(project.dir, "tasks/renamed.yaml"));
  const all = await resumeWith(project, "tasks");
  assert.deepEqual([all.resume.rows_kept, all.resume.rows_to_run, all.set_aside], [3, 0, []]);
  assert.deepEqual(
    grave(all).map(({ field, tasks }) => [field, tasks]),
    [["initial_prompt", ["d/y"]]],
  );
  const rerun = await resumeWith(project, "tasks", "--on-drift", "rerun");
  assert.deepEqual([rerun.resume.rows_kept, rerun.resume.rows_to_run], [2, 1]);
});

test("more replicates run what is missing, fewer leave the rest out, and what was left out comes back", async () => {
  await using project = await makeProject({ "tasks/a.yaml": task("a") });
  await runCli(["run", "tasks", "--driver", "tempdir", "--run-dir", "out"], { cwd: project.dir });
  const numbers = [];
  for (const repeats of ["3", "1", "2", "3"]) {
    const run = await resumeWith(project, "tasks", "--repeats", repeats);
    numbers.push([run.tasks_planned, run.resume.rows_to_run, run.set_aside.length]);
  }
  assert.deepEqual(numbers, [
    [3, 2, 0],
    [1, 0, 2],
    [2, 0, 1],
    [3, 0, 0],
  ]);
});

test("no report of an earlier execution passes for one of the present, neither while it runs nor in a rebuild", async () => {
  await using project = await makeProject({ "tasks/a.yaml": task("a"), "experiments/e.yaml": experiment });
  await runCli(["run", "tasks", "-e", "e", "--driver", "tempdir", "--run-dir", "out"], { cwd: project.dir });
  assert.ok(existsSync(join(project.dir, "out/experiment.json")));

  await writeFile(join(project.dir, "tasks/b.yaml"), task("b", "sleep 300"));
  const killed = startCli(["run", "tasks", "--driver", "tempdir", "--run-dir", "out", "--resume"], { cwd: project.dir });
  await killed.waitFor("running 2 tasks");
  killed.child.kill("SIGKILL");
  await killed.end;
  for (const name of ["run.json", "run.md", "run.html", "experiment.json", "experiment.md"]) {
    assert.equal(existsSync(join(project.dir, "out", name)), false, name);
    assert.equal(existsSync(join(project.dir, "out", `${name}.previous`)), true, name);
  }
  const shown = await runCli(["report", "out"], { cwd: project.dir });
  assert.equal(shown.code, 2);
  assert.match(shown.stderr, /after a run that was cut short, evalbatch report --rebuild makes both/);

  await writeFile(join(project.dir, "tasks/b.yaml"), task("b"));
  const run = await resumeWith(project, "tasks");
  assert.deepEqual([run.experiment, run.tasks_planned, run.set_aside.length], [null, 2, 2]);
  await runCli(["report", "out", "--rebuild"], { cwd: project.dir });
  const rebuilt = await project.readJson("out/run.json", runSchema);
  assert.deepEqual([rebuilt.experiment, rebuilt.tasks_planned, rebuilt.pass_rate], [null, 2, 1]);
});

test("reports of variants and suites that are no part of the run any more are called so, and told of", async () => {
  await using project = await makeProject({
    "tasks/a.yaml": task("a"),
    "tasks/d.yaml": dataset("two"),
    "e.yaml": experiment,
    "one.yaml": experiment.replace(/ {2}- variant_id: v2.*/s, "  - variant_id: v3\n    run_limits: {task_timeout: 98}\n"),
  });
  const first = await runCli(["run", "tasks", "-e", "e.yaml", "--driver", "tempdir", "--run-dir", "out"], { cwd: project.dir });
  assert.equal(first.code, 0, first.stderr);
  const has = (name: string): boolean => existsSync(join(project.dir, "out", name));
  assert.ok(has("v2/variant.json") && has("v2/d/suite.json"));
  const end = await runCli(["run", "tasks", "-e", "one.yaml", "--driver", "tempdir", "--run-dir", "out", "--resume"], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  for (const name of ["v2/variant.json", "v2/variant.md", "v2/d/suite.json", "v2/d/suite.md"])
    assert.deepEqual([has(name), has(`${name}.previous`)], [false, true], name);
  assert.deepEqual(
    [has("v1/variant.json"), has("v1/d/suite.json"), has("v3/variant.json"), has("v3/d/suite.json")],
    [true, true, true, true],
  );
  assert.match(end.stderr, /v2\/d\/suite\.json/);
});
