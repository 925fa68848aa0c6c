import assert from "node:assert/strict";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { commandTask, makeProject, runCli, startCli } from "./cli.ts";

const secret = "hunter2-hunter2-hunter2";

test("what has become a secret since the earlier attempt stands in no difference and in no new fingerprint, and is none by itself", async () => {
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", `echo ${secret}; touch done`) });
  const args = ["run", "tasks", "--driver", "tempdir", "--run-dir", "out"];
  assert.equal((await runCli(args, { cwd: project.dir })).code, 0);
  assert.match(await project.readText("out/resume_fingerprint.json"), new RegExp(secret));
  const again = await runCli([...args, "--resume"], { cwd: project.dir, env: { MY_SECRET_TOKEN: secret } });
  assert.equal(again.code, 0, again.stderr);
  assert.doesNotMatch(again.stdout + again.stderr, new RegExp(secret));
  assert.doesNotMatch(again.stderr, /agent\.command/);
  assert.doesNotMatch(await project.readText("out/resume_fingerprint.json"), new RegExp(secret));
});

test("kept results show no secret that only this run knows: not their errors, not their details, not the names of files beside them", async () => {
  const spell = "echo hunter2-hunter2-hunt er2 | tr -d ' '";
  const broken = commandTask("broken", "touch done").replace(
    "task_id",
    `pre_run:\n  - command: ${JSON.stringify(`${spell} >&2; exit 3`)}\ntask_id`,
  );
  await using project = await makeProject({
    "tasks/broken.yaml": broken,
    "tasks/failed.yaml": commandTask("failed", "true", `${spell.replaceAll("'", '"')}; exit 1`),
    "tasks/ok.yaml": commandTask("ok", "touch done"),
  });
  const args = ["run", "tasks", "--driver", "tempdir", "--run-dir", "out"];
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  const before = [await project.readText("out/run.json"), await project.readText("out/run.md"), await project.readText("out/run.html")];
  for (const text of before) assert.match(text, new RegExp(secret));
  await cp(join(project.dir, "out/default/ok"), join(project.dir, `out/default/${secret}`), { recursive: true });
  const again = await runCli([...args, "--resume"], { cwd: project.dir, env: { MY_SECRET_TOKEN: secret } });
  assert.match(again.stderr, /3 results kept/);
  assert.doesNotMatch(again.stdout + again.stderr, new RegExp(secret));
  for (const name of ["run.json", "run.md", "run.html", "plan.json"])
    assert.doesNotMatch(await project.readText(`out/${name}`), new RegExp(secret), name);
  const rows = z.object({
    task_results: z.array(z.object({ task_id: z.string(), status: z.string(), kept: z.boolean() })),
    set_aside: z.array(z.unknown()),
    redactions: z.number(),
  });
  const run = await project.readJson("out/run.json", rows);
  assert.deepEqual(
    run.task_results.map(({ task_id, status, kept }) => [task_id, status, kept]),
    [
      ["broken", "ERROR", true],
      ["failed", "FAILURE", true],
      ["ok", "SUCCESS", true],
    ],
  );
  assert.equal(run.set_aside.length, 1);
  assert.ok(run.redactions > 0);
});

test("a result that is to be tried again and never is shows no secret either", async () => {
  const broken = commandTask("b", "true").replace(
    "task_id",
    `pre_run:\n  - command: "echo hunter2-hunter2-hunt er2 | tr -d ' ' >&2; exit 3"\ntask_id`,
  );
  await using project = await makeProject({ "tasks/a.yaml": commandTask("a", "exit 1"), "tasks/b.yaml": broken });
  const args = ["run", "tasks", "--driver", "tempdir", "--run-dir", "out", "-j", "1"];
  assert.equal((await runCli(args, { cwd: project.dir })).code, 1);
  assert.match(await project.readText("out/run.json"), new RegExp(secret));
  await writeFile(join(project.dir, "tasks/a.yaml"), commandTask("a", "touch started; sleep 600"));
  const again = startCli([...args, "--resume", "--retry", "failed"], { cwd: project.dir, env: { MY_SECRET_TOKEN: secret } });
  await again.waitFor("running 2 tasks");
  again.child.kill("SIGINT");
  const end = await again.end;
  assert.equal(end.code, 130, end.stderr);
  const run = await project.readJson(
    "out/run.json",
    z.object({ task_results: z.array(z.object({ task_id: z.string(), kept: z.boolean() })) }),
  );
  assert.deepEqual(
    run.task_results.filter(({ task_id }) => task_id === "b"),
    [{ task_id: "b", kept: true }],
  );
  for (const name of ["run.json", "run.md", "run.html"])
    assert.doesNotMatch(await project.readText(`out/${name}`), new RegExp(secret), name);
});
