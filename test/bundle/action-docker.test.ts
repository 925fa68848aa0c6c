import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { makeJob, noBundle, runAction, startAction, taskYaml, wantsEverything } from "./action-process.ts";
import { busyboxImage } from "./busybox-image.ts";
import { containersOf, engine, leaveContainer } from "./cancelled-job.ts";

const image = noBundle === false ? busyboxImage() : { missing: noBundle };
const options = { skip: "missing" in image ? image.missing : false };
const inputs = { tasks: "evals", "run-dir": "out", image: "tag" in image ? image.tag : "" };

test("tasks pass and fail in containers, and none is left", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", taskYaml("b", "true"));
  const ended = await runAction(job, { inputs, env: engine });
  assert.equal(ended.exitCode, 1, ended.stdout + ended.stderr);
  assert.deepEqual([ended.outputs["tasks-succeeded"], ended.outputs["tasks-failed"]], ["1", "1"]);
  assert.deepEqual(containersOf(ended.state.run ?? ""), []);
});

test("nothing of the runner's environment is in a container, not even in its first process", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "{ env; cat /proc/*/environ | tr '\\0' '\\n'; } > done", wantsEverything));
  const ended = await runAction(job, { inputs: { ...inputs, env: "GIVEN=given-value" }, env: engine });
  assert.equal(ended.exitCode, 0, ended.stdout + ended.stderr);
  const files = globSync("out/**/*", { cwd: job.workspace, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")] as const);
  const dump = texts.find(([name]) => name === "done")?.[1] ?? "";
  assert.match(dump, /^PATH=/m);
  assert.match(dump, /^GIVEN=/m);
  for (const [name, text] of texts) assert.equal(text.includes("canary-of-"), false, `${name}: ${text.match(/.*canary-of-.*/)?.[0]}`);
});

test("the post step removes what a killed main step has left", options, async (t) => {
  const job = makeJob(t);
  job.write("evals/a.yaml", taskYaml("a", "echo started; sleep 300"));
  const { child, ended } = startAction(job, { inputs, env: engine });
  let runId = "";
  while (runId === "" || containersOf(runId).length === 0) {
    assert.equal(child.exitCode, null);
    await new Promise((resolve) => setTimeout(resolve, 50));
    runId = /^run<<(\S+)\n(.*)\n\1$/m.exec(readFileSync(join(job.directory, "state"), "utf8"))?.[2] ?? "";
  }
  child.kill("SIGKILL");
  await ended;
  leaveContainer(runId, inputs.image);
  const post = await runAction(job, { door: "post", env: { ...engine, STATE_run: runId } });
  assert.deepEqual([post.exitCode, post.stderr], [0, ""]);
  assert.match(post.stdout, /removed \d containers?\b/);
  assert.deepEqual(containersOf(runId), []);
});

test("a cancelled job leaves no container", options, async (t) => {
  const job = makeJob(t);
  for (const id of ["a", "b"]) job.write(`evals/${id}.yaml`, taskYaml(id, "sleep 300 & wait"));
  const { child, ended } = startAction(job, { inputs: { ...inputs, "max-parallel": "2" }, env: engine });
  let runId = "";
  while (runId === "" || containersOf(runId).length < 2) {
    assert.equal(child.exitCode, null);
    await new Promise((resolve) => setTimeout(resolve, 50));
    runId = /^run<<(\S+)\n(.*)\n\1$/m.exec(readFileSync(join(job.directory, "state"), "utf8"))?.[2] ?? "";
  }
  child.kill("SIGINT");
  // As the runner does.
  const kill = setTimeout(() => child.kill("SIGKILL"), 7500);
  const end = await ended;
  clearTimeout(kill);
  assert.equal(end.exitCode, 130, end.stdout + end.stderr);
  assert.equal(end.outputs["tasks-not-run"], "2");
  assert.deepEqual(containersOf(runId), []);
});
