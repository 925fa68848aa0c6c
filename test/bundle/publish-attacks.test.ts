import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { annotations, noBundle, taskYaml } from "./action-process.ts";
import { makePublishingJob, type PublishingJob, savedState } from "./publishing-job.ts";

// What somebody may bring along in a pull request, an environment or a moment, to make the publishing do what it must not.

const options = { skip: noBundle };
const secret = "hunter2-very-secret-value";

const withoutMasks = (log: string): string => log.replace(/^::add-mask::.*$/gm, "");

/** The post step of a job that has just run. */
async function post(job: PublishingJob, env: Readonly<Record<string, string>> = {}) {
  const state = savedState(job);
  job.nextStep();
  return await job.run({ door: "post", env: { ...state, ...env } });
}

test("links in the place of files that we write are replaced, and what they point to stays", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("out/readme", "of the repository");
  for (const name of ["comment.json", "run.md", "run.html", "experiment.log", "run.json.tmp", "comment.json.tmp"]) {
    writeFileSync(join(job.directory, `victim-${name}`), "precious");
    symlinkSync(join(job.directory, `victim-${name}`), join(job.workspace, "out", name));
  }
  const ended = await job.run();
  assert.equal(ended.exitCode, 0, ended.stdout);
  for (const name of ["comment.json", "run.md", "run.html", "experiment.log", "run.json.tmp", "comment.json.tmp"])
    assert.equal(readFileSync(join(job.directory, `victim-${name}`), "utf8"), "precious", name);
  assert.match(String(job.artifact().get("comment.json")), /"pull_request": 7/);
});

test("nothing is run into a place that a pull request has prepared: a link, or results that nobody ran", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  mkdirSync(join(job.directory, "elsewhere"));
  symlinkSync(join(job.directory, "elsewhere"), join(job.workspace, "runs"));
  const linked = await job.run({ inputs: { "run-dir": "" } });
  assert.equal(linked.exitCode, 2, linked.stdout);
  job.write("out/default/a/00/task.json", "{}");
  const forged = await job.run();
  assert.equal(forged.exitCode, 2, forged.stdout);
  assert.match(annotations(forged.stdout).join("\n"), /already holds a run \(default\)/);
  assert.equal(forged.outputs.verdict, "error");
});

test("a secret in the names of a job leaves neither in a title, nor in the name of the artifact, nor in a finding", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/a.yaml", taskYaml("a", "true"));
  const env = { GITHUB_WORKFLOW: `CI ${secret}`, GITHUB_JOB: secret };
  const inputs = { env: `GIVEN=${secret}`, "matrix-leg": JSON.stringify({ os: secret }) };
  const named = await job.run({ inputs, env });
  const keyed = await job.run({ inputs: { ...inputs, "run-dir": "out2", "comment-key": secret, "artifact-name": `of ${secret}` }, env });
  assert.equal(job.comments().length, 2, keyed.stdout);
  const missing = await job.run({ inputs: { ...inputs, "run-dir": "out3", tasks: `evals/${secret}.yaml` }, env });
  assert.equal(missing.exitCode, 2, missing.stdout);
  assert.match(missing.summary, /\*\*\*\.yaml/);
  const artifacts = [...job.service.artifacts].flatMap(([name]) => [name, ...[...job.artifact(name)].flat().map(String)]);
  for (const text of [...artifacts, ...job.comments(), named.summary, keyed.summary, missing.summary, withoutMasks(missing.stdout)])
    assert.ok(!text.includes(secret), text);
});

test("secrets that are common words leave every file, number and output as it is", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", taskYaml("b", "true"));
  const words = [
    "default",
    "failed",
    "passed",
    "SUCCESS",
    "FAILURE",
    "task.json",
    "status",
    "message",
    "evalbatch",
    "true",
    "main",
    "evals",
  ];
  const env = words.map((word, index) => `SECRET_${index}=${word}`).join("\n");
  const ended = await job.run({ inputs: { env } });
  assert.deepEqual([ended.exitCode, ended.outputs.verdict], [1, "failed"], ended.stdout);
  assert.deepEqual(job.artifact().get("run.json"), readFileSync(join(job.workspace, "out/run.json")));
  assert.ok(job.artifact().has("default/b/00/task.json"), [...job.artifact().keys()].join("\n"));
  for (const page of [ended.summary, job.comments()[0] ?? ""]) assert.doesNotMatch(page, /\*\*\*(?!\*)/);
  // The runner hands on no output in which a mask stands.
  assert.doesNotMatch(ended.stdout, /^::add-mask::(?:failed|passed|default)$/m);
});

for (const [what, content] of [
  ["is empty", ""],
  ["is cut off", '{"pull_request": {"number": 7, "head":'],
  ["nests too deeply", "[".repeat(200_000)],
] as const) {
  test(`an event's file that ${what} costs the comment, and not the artifact`, options, async (t) => {
    const job = await makePublishingJob(t, "pull_request");
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    writeFileSync(join(job.directory, "event.json"), content);
    const ended = await job.run({ env: { GITHUB_EVENT_PATH: join(job.directory, "event.json") } });
    assert.equal(ended.exitCode, 0, ended.stdout);
    assert.equal(job.service.artifacts.size, 1, ended.stdout);
    assert.match(annotations(ended.stdout).join("\n"), /^warning the event "pull_request" could not be read/m);
  });
}

test(
  "a step that is stopped while it comments leaves the rest to its post step: one artifact, one comment with a link to it",
  options,
  async (t) => {
    const job = await makePublishingJob(t, "pull_request");
    job.api.faults.push({ method: "POST", path: /comments/, answer: "hang" });
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    const main = job.start();
    while (!job.api.requests.some(({ method, path }) => method === "POST" && /comments/.test(path))) await delay(20);
    main.child.kill("SIGINT");
    const ended = await main.ended;
    assert.notEqual(ended.outputs["artifact-id"], "");
    const after = await post(job);
    assert.deepEqual([after.exitCode, annotations(after.stdout)], [0, []], "what the main step has warned of is not said again");
    assert.deepEqual([job.service.artifacts.size, job.comments().length], [1, 1]);
    assert.ok(job.comments()[0]?.includes(ended.outputs["artifact-url"] ?? "?"), job.comments()[0]);
    const again = await job.run({ door: "post", env: savedState(job) });
    assert.equal(again.exitCode, 0);
    assert.deepEqual([job.service.artifacts.size, job.comments().length], [1, 1]);
  },
);

test("a stop while files are uploaded ends the step at once, and the post step uploads them", options, async (t) => {
  for (const place of ["CreateArtifact", "PutBlock"] as const) {
    const job = await makePublishingJob(t, "pull_request", { faults: { [place]: ["stall"] } });
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    const main = job.start();
    await job.service.asked(place);
    const from = performance.now();
    main.child.kill("SIGTERM");
    const ended = await main.ended;
    assert.ok(performance.now() - from < 6000);
    assert.deepEqual([ended.outputs.verdict, ended.outputs["artifact-id"], job.comments().length], ["passed", "", 0], ended.stdout);
    const after = await post(job);
    assert.equal(job.comments().length, 1, after.stdout);
    assert.equal([...job.service.artifacts.values()].filter(({ finalized }) => finalized).length, 1);
    assert.match(after.summary, /\/artifacts\/\d+\)/);
  }
});

test("a secret with a weak value is hidden by the post step too: it knows the names of what the tasks were given", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request", { faults: { CreateArtifact: ["stall"] } });
  job.write(
    "evals/a.yaml",
    taskYaml("a", 'echo "$DB_PASSWORD" > leak; touch done', "sandbox: {docker: {env_passthrough_extra: [DB_PASSWORD]}}\n"),
  );
  const inputs = { upload: "all" };
  const env = { DB_PASSWORD: "letmein" };
  const main = job.start({ inputs, env });
  await job.service.asked("CreateArtifact");
  main.child.kill("SIGINT");
  await main.ended;
  const state = savedState(job);
  assert.ok(!Object.values(state).some((value) => value.includes("letmein")));
  job.nextStep();
  const after = await job.run({ door: "post", inputs, env: { ...env, ...state } });
  assert.equal(String(job.artifact().get("default/a/00/artifacts/a/leak")), "***\n", after.stdout);
});

test("a state that names a directory of somebody else makes the post step neither read nor write there", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  job.write("default/a/00/task.json", "{}");
  for (const runDir of [job.workspace, ".", "/nowhere/at/all"]) {
    const ended = await job.run({ door: "post", env: { STATE_run: "x-1", "STATE_run-dir": runDir, STATE_cwd: job.workspace } });
    assert.deepEqual([ended.exitCode, ended.summary, job.service.artifacts.size, job.comments().length], [0, "", 0, 0], ended.stdout);
  }
  assert.throws(() => readFileSync(join(job.workspace, "run.json")));
});
