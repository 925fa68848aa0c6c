import assert from "node:assert/strict";
import test from "node:test";
import { commandTask, makeProject, runCli } from "./cli.ts";

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
