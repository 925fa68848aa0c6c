import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { readZip } from "../fakes/zip-reader.ts";
import { noBundle, taskYaml } from "./action-process.ts";
import { busyboxImage } from "./busybox-image.ts";
import { assertAddsUp, containersOf, engine, type RunJson, runPost, says, seededRandom, uploaded, withoutMasks } from "./cancelled-job.ts";
import { makePublishingJob, type PublishingJob, savedState } from "./publishing-job.ts";

// A click on "Re-run failed jobs": the next attempt of a job, on another machine, goes on where the last one was killed.

const image = noBundle === false ? busyboxImage() : { missing: noBundle };
const docker = { skip: "missing" in image ? image.missing : false };
const inDocker = { driver: "docker", image: "tag" in image ? image.tag : "", "max-parallel": "4" };
const seed = Number(process.env.EVALBATCH_KILL_SEED ?? Date.now() % 1_000_000);

interface Resumed extends RunJson {
  readonly pass_rate: number;
  readonly resume: {
    readonly attempt: number;
    readonly rows_kept: number;
    readonly rows_to_run: number;
    readonly retry: string;
    readonly source: { readonly kind: string; readonly artifact: string | null; readonly workflow_run_attempt: number | null };
  } | null;
  readonly drift: readonly { readonly field: string; readonly benign: boolean }[];
}

const runJson = (job: PublishingJob): Resumed => JSON.parse(readFileSync(join(job.workspace, "out/run.json"), "utf8"));

const attempt = (number: number): Record<string, string> => ({
  GITHUB_RUN_ID: "501",
  GITHUB_JOB: "evals",
  GITHUB_RUN_ATTEMPT: String(number),
});

/** What a fresh machine has: the checkout, and nothing of the attempt before. */
function onFreshMachine(job: PublishingJob): void {
  rmSync(join(job.workspace, "out"), { recursive: true, force: true });
  job.nextStep();
}

/** Runs the main step until so many tasks have ended, kills it without warning, and lets the post step publish what there is. */
async function killedAttempt(job: PublishingJob, number: number, ends: number, inputs: Readonly<Record<string, string>>): Promise<void> {
  const env = { ...engine, ...attempt(number) };
  const main = job.start({ inputs, env });
  assert.ok(await says(main, ends === 0 ? "running " : `[${ends}/`), withoutMasks(main.seen()));
  main.child.kill("SIGKILL");
  await main.ended;
  const runId = savedState(job).STATE_run ?? "";
  const post = await runPost(job, { inputs, env });
  assert.deepEqual([post.exitCode, post.stderr], [0, ""], withoutMasks(post.stdout));
  if (inputs.driver === "docker") {
    // Another run of this machine may be removing them at this moment.
    for (let tries = 0; tries < 50 && containersOf(runId).length > 0; tries += 1) await delay(100);
    assert.deepEqual(containersOf(runId), []);
  }
}

test("attempt 1 killed again and again, the last attempt has every row once and runs no finished one twice", docker, async (t) => {
  const random = seededRandom(seed);
  t.diagnostic(`EVALBATCH_KILL_SEED=${seed}`);
  const job = await makePublishingJob(t, "pull_request");
  const count = 40;
  const ids = Array.from({ length: count }, (_, index) => `t${String(index).padStart(2, "0")}`);
  for (const [index, id] of ids.entries())
    job.write(`evals/${id}.yaml`, taskYaml(id, index % 4 === 3 ? "sleep 0.3" : "sleep 0.2; touch done"));
  const inputs = { ...inDocker };
  const finished = new Map<string, string>();
  for (let number = 1; number <= 3; number += 1) {
    await killedAttempt(job, number, 1 + Math.floor(random() * 6), inputs);
    const files = readZip(uploaded(job).at(-1)?.content ?? Buffer.alloc(0));
    for (const [path, content] of files) {
      if (!path.endsWith("/task.json")) continue;
      const before = finished.get(path);
      if (before !== undefined) assert.equal(content.toString("utf8"), before, `${path} was made again`);
      finished.set(path, content.toString("utf8"));
    }
    onFreshMachine(job);
  }
  assert.ok(finished.size > 0 && finished.size < count, `${finished.size} had finished`);
  const end = await job.run({ inputs, env: { ...engine, ...attempt(4) } });
  assert.equal(end.exitCode, 1, withoutMasks(end.stdout) + end.stderr);
  const run = runJson(job);
  assertAddsUp(run, count);
  assert.deepEqual([run.tasks_succeeded, run.tasks_failed, run.tasks_error, run.tasks_not_run], [30, 10, 0, 0]);
  assert.deepEqual([run.pass_rate, run.interrupted, run.drift.filter(({ benign }) => !benign)], [0.75, false, []]);
  assert.deepEqual(
    [run.resume?.attempt, run.resume?.retry, run.resume?.source.kind, run.resume?.source.workflow_run_attempt],
    [4, "errors", "artifact", 3],
  );
  assert.equal(run.resume?.rows_kept, finished.size);
  for (const [path, content] of finished) assert.equal(readFileSync(join(job.workspace, "out", path), "utf8"), content, path);
  assert.deepEqual(containersOf(end.state.run ?? ""), []);
  assert.match(end.summary, new RegExp(`${finished.size} results? kept`));
  const comments = job.comments();
  assert.equal(comments.length, 1);
  assert.match(comments[0] ?? "", new RegExp(`${finished.size} results? kept`));
});

const tempdir = { driver: "tempdir", "max-parallel": "1" };

async function threeTasks(t: Parameters<typeof makePublishingJob>[0]): Promise<PublishingJob> {
  const job = await makePublishingJob(t, "pull_request");
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", taskYaml("b", "sleep 1; touch done"));
  job.write("evals/c.yaml", taskYaml("c", "touch done"));
  return job;
}

const only = { skip: noBundle };

test("a changed task between the attempts is told on the pull request, and with on-drift: rerun run again", only, async (t) => {
  const job = await threeTasks(t);
  await killedAttempt(job, 1, 1, tempdir);
  onFreshMachine(job);
  job.write("evals/a.yaml", taskYaml("a", "echo changed; touch done"));
  const warned = await job.run({ inputs: tempdir, env: attempt(2) });
  assert.equal(warned.exitCode, 0, withoutMasks(warned.stdout));
  assert.ok(
    runJson(job).drift.some(({ benign }) => !benign),
    withoutMasks(warned.stdout) + JSON.stringify(runJson(job).resume) + JSON.stringify(runJson(job).drift),
  );
  assert.equal(warned.stdout.match(/^::warning /gm)?.length, 1, withoutMasks(warned.stdout));
  assert.match(job.comments()[0] ?? "", /\| Before \|/i);
  onFreshMachine(job);
  const rerun = await job.run({ inputs: { ...tempdir, "on-drift": "rerun" }, env: attempt(3) });
  assert.equal(rerun.exitCode, 0, withoutMasks(rerun.stdout));
  assert.deepEqual([runJson(job).resume?.rows_kept, runJson(job).resume?.rows_to_run], [2, 1]);
  onFreshMachine(job);
  job.write("evals/a.yaml", taskYaml("a", "echo again; touch done"));
  const refused = await job.run({ inputs: { ...tempdir, "on-drift": "fail" }, env: attempt(4) });
  assert.equal(refused.exitCode, 2, withoutMasks(refused.stdout));
  assert.match(refused.summary, /changed since the earlier attempt/);
});

test("resume: false, and a first attempt, run everything and ask nobody for anything earlier", only, async (t) => {
  const job = await threeTasks(t);
  await killedAttempt(job, 1, 1, tempdir);
  onFreshMachine(job);
  const before = job.service.requests.length;
  const end = await job.run({ inputs: { ...tempdir, resume: "false" }, env: attempt(2) });
  assert.equal(end.exitCode, 0, withoutMasks(end.stdout));
  assert.deepEqual([runJson(job).resume, runJson(job).tasks_run], [null, 3]);
  assert.ok(job.service.requests.slice(before).every((request) => !JSON.stringify(request).includes("ListArtifacts")));
});

test("where nothing of the earlier attempt is found, everything runs, and a notice says why", only, async (t) => {
  const job = await threeTasks(t);
  const end = await job.run({ inputs: tempdir, env: attempt(2) });
  assert.equal(end.exitCode, 0, withoutMasks(end.stdout));
  assert.match(end.stdout, /^::notice .*nothing to continue/m);
  assert.deepEqual([runJson(job).resume, runJson(job).tasks_run], [null, 3]);
});

test("a run directory that a pull request brings along is never continued", only, async (t) => {
  const job = await threeTasks(t);
  mkdirSync(join(job.workspace, "out"));
  execFileSync("cp", ["-r", join(import.meta.dirname, "../fixtures/selftest"), join(job.workspace, "out/default")]);
  job.write(
    "out/plan.json",
    JSON.stringify({ tasks: [{ task_id: "a" }], origin: { repository: "octo-org/evals", workflow_run_id: "1", job: "evals" } }),
  );
  const end = await job.run({ inputs: tempdir, env: attempt(2) });
  assert.equal(end.exitCode, 2, withoutMasks(end.stdout));
  assert.match(end.stdout, /already holds a run/);
});

test(
  "a machine that still has an older attempt goes on from the newer one's artifact, and keeps the older directory aside",
  only,
  async (t) => {
    const job = await threeTasks(t);
    job.write("evals/b.yaml", taskYaml("b", "sleep 3; touch done"));
    const out = join(job.workspace, "out");
    await killedAttempt(job, 1, 1, tempdir);
    renameSync(out, join(job.directory, "machine-1"));
    job.nextStep();
    // Another machine, which has nothing, does one more task and is killed too.
    await killedAttempt(job, 2, 1, tempdir);
    const second = readFileSync(join(out, "default/b/00/task.json"), "utf8");
    // The kill may come late on a slow machine.
    const kept = ["a", "b", "c"].filter((id) => existsSync(join(out, `default/${id}/00/task.json`))).length;
    rmSync(out, { recursive: true });
    renameSync(join(job.directory, "machine-1"), out);
    job.nextStep();
    const end = await job.run({ inputs: tempdir, env: attempt(3) });
    assert.equal(end.exitCode, 0, withoutMasks(end.stdout) + end.stderr);
    const { resume } = runJson(job);
    assert.deepEqual([resume?.attempt, resume?.source.kind, resume?.source.workflow_run_attempt], [3, "artifact", 2]);
    assert.deepEqual([resume?.rows_kept, resume?.rows_to_run], [kept, 3 - kept]);
    assert.equal(readFileSync(join(out, "default/b/00/task.json"), "utf8"), second);
    assert.equal(JSON.parse(readFileSync(join(job.workspace, "out.attempt-1/plan.json"), "utf8")).origin.workflow_run_attempt, 1);
    assert.match(end.stdout, /out\.attempt-1/);
  },
);

test("where the newer attempt left no artifact, the older directory on the machine is gone on with", only, async (t) => {
  const job = await threeTasks(t);
  job.write("evals/b.yaml", taskYaml("b", "sleep 3; touch done"));
  await killedAttempt(job, 1, 1, tempdir);
  const first = readFileSync(join(job.workspace, "out/default/a/00/task.json"), "utf8");
  job.nextStep();
  const end = await job.run({ inputs: tempdir, env: attempt(3) });
  assert.equal(end.exitCode, 0, withoutMasks(end.stdout) + end.stderr);
  const { resume } = runJson(job);
  assert.deepEqual([resume?.source.kind, resume?.source.workflow_run_attempt, resume?.rows_kept], ["directory", 1, 1]);
  assert.equal(readFileSync(join(job.workspace, "out/default/a/00/task.json"), "utf8"), first);
  assert.deepEqual(
    readdirSync(job.workspace).filter((name) => name.startsWith("out") || name.startsWith(".evalbatch")),
    ["out"],
  );
});

test("a machine that was switched off at the first files of a run goes on in the same directory", only, async (t) => {
  for (const kill of ["1 before", "1 after", "2 before", "2 after"]) {
    const job = await threeTasks(t);
    const preload = pathToFileURL(join(import.meta.dirname, "../e2e/kill-at-write-preload.ts")).href;
    const killed = await job.run({
      inputs: tempdir,
      env: { ...attempt(1), NODE_OPTIONS: `--import ${preload}`, EVALBATCH_TEST_KILL: kill },
    });
    assert.equal(killed.exitCode, null, withoutMasks(killed.stdout));
    job.nextStep();
    const end = await job.run({ inputs: tempdir, env: attempt(2) });
    assert.equal(end.exitCode, 0, `${kill}: ${withoutMasks(end.stdout)}`);
    assert.equal(runJson(job).tasks_succeeded, 3);
  }
});
