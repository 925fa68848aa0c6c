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
