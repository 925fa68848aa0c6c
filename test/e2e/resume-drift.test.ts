import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { commandTask, makeProject, runCli } from "./cli.ts";

const runSchema = z.object({ drift: z.array(z.unknown()), tasks_succeeded: z.number() });
const args = ["run", "tasks", "--driver", "tempdir", "--run-dir", "out"];
const strict = [...args, "--resume", "--on-drift", "fail"];

test("a change of a task without a result mixes nothing, so that --on-drift fail lets it run; one of a result does not", async () => {
  await using project = await makeProject({
    "tasks/a.yaml": commandTask("a", "touch done"),
    "tasks/b.yaml": commandTask("b", "touch done"),
  });
  assert.equal((await runCli(args, { cwd: project.dir })).code, 0);
  await rm(join(project.dir, "out/default/b"), { recursive: true });
  await writeFile(join(project.dir, "tasks/b.yaml"), commandTask("b", "touch done done-2"));
  const end = await runCli(strict, { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  assert.deepEqual(await project.readJson("out/run.json", runSchema), { drift: [], tasks_succeeded: 2 });
  await writeFile(join(project.dir, "tasks/b.yaml"), commandTask("b", "touch done done-3"));
  const refused = await runCli(strict, { cwd: project.dir });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /changed since the earlier attempt: agent\.command/);
});

test("of a failed task that was changed and is retried the change is told, since its failure counts in the pass rate", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "true"), "tasks/b.yaml": commandTask("b", "touch done") });
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch done"));
  const retry = ["--retry", "failed"];
  const refused = await runCli([...strict, ...retry], { cwd: project.dir });
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /changed since the earlier attempt: agent\.command/);
  const end = await runCli([...args, "--resume", ...retry], { cwd: project.dir });
  assert.match(end.stderr, /agent\.command: .* 1 task: a/);
  const schema = z.object({ drift: z.array(z.object({ field: z.string() })), pass_rate: z.number(), tasks_succeeded: z.number() });
  const run = await project.readJson("out/run.json", schema);
  assert.deepEqual(run, { drift: [{ field: "agent.command" }], pass_rate: 0.5, tasks_succeeded: 2 });
});

test("of an error that was changed and is retried nothing is told, unless an attempt before it had failed", async () => {
  const env = { EVALBATCH_TEST: "1" };
  const broken = (id: string) => commandTask(id, "touch done").replace("task_id", "pre_run:\n  - command: exit 3\ntask_id");
  await using project = await makeProject({ "tasks/a.yaml": broken("a"), "tasks/b.yaml": commandTask("b", "true") });
  assert.equal((await runCli(args, { cwd: project.dir, env })).code, 1);
  await writeFile(join(project.dir, "tasks/b.yaml"), broken("b"));
  const again = await runCli([...args, "--resume", "--retry", "failed"], { cwd: project.dir, env });
  assert.match(again.stderr, /pre_run/);
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch done"));
  await writeFile(join(project.dir, "tasks/b.yaml"), commandTask("b", "touch done"));
  const end = await runCli([...args, "--resume", "--retry", "errors"], { cwd: project.dir, env });
  const schema = z.object({ drift: z.array(z.object({ field: z.string(), tasks: z.array(z.string()) })) });
  const { drift } = await project.readJson("out/run.json", schema);
  assert.ok(drift.length > 0, end.stderr);
  for (const { tasks } of drift) assert.deepEqual(tasks, ["b"], end.stderr);
});
