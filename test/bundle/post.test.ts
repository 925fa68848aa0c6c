import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import test, { describe } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { annotations, type Ended, noBundle, taskYaml } from "./action-process.ts";
import { busyboxImage } from "./busybox-image.ts";
import {
  assertAddsUp,
  assertPublishedOnce,
  containersOf,
  engine,
  leaveContainer,
  runJson,
  runPost,
  says,
  uploaded,
  withoutMasks,
} from "./cancelled-job.ts";
import { makePublishingJob, type PublishingJob, savedState } from "./publishing-job.ts";

interface Cleanup {
  after(work: () => void | Promise<void>): void;
}

const image = noBundle === false ? busyboxImage() : { missing: noBundle };
const docker = { driver: "docker", image: "tag" in image ? image.tag : "" };
/** No engine: what has to do with one is tried where it says so. */
const noEngine = { DOCKER_HOST: "unix:///nowhere/docker.sock" };

function assertQuiet(post: Ended): void {
  assert.deepEqual([post.exitCode, post.stdout, post.stderr, post.summary], [0, "", "", ""]);
}

function assertHarmless(post: Ended): void {
  assert.deepEqual([post.exitCode, post.stderr], [0, ""], withoutMasks(post.stdout));
}

const warnings = (post: Ended): string[] => annotations(post.stdout).filter((line) => line.startsWith("warning "));

/** A job whose main step was killed while one task had passed and another one ran. */
async function killedJob(t: Cleanup, inputs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) {
  const job = await makePublishingJob(t, "pull_request");
  const temporary = join(job.directory, "tasks");
  mkdirSync(temporary);
  job.write("evals/a.yaml", taskYaml("a", "touch done"));
  job.write("evals/b.yaml", taskYaml("b", "echo $$ > pid; trap '' INT TERM; sleep 300 & wait"));
  job.write("evals/c.yaml", taskYaml("c", "touch done"));
  job.write("evals/d.yaml", "task_id: d\ndescriptoin: a mistake\n");
  const main = job.start({ inputs: { "max-parallel": "1", ...inputs }, env: { ...env, TMPDIR: temporary } });
  assert.ok(await says(main, "[1/3] "));
  // The second one is under way when it has left its mark: in a directory of ours, or in a container that can be seen.
  const runId = savedState(job).STATE_run ?? "";
  const isUnderWay = (): boolean =>
    globSync("*/work/pid", { cwd: temporary }).length > 0 || (inputs.driver === "docker" && containersOf(runId).length > 0);
  while (!isUnderWay()) await delay(20);
  main.child.kill("SIGKILL");
  await main.ended;
  return { job, temporary, runId, env: { ...env, TMPDIR: temporary } };
}

function assertRescued(job: PublishingJob, post: Ended): void {
  assertHarmless(post);
  const run = runJson(job);
  assertAddsUp(run, 3);
  assert.deepEqual([run.interrupted, run.verdict, run.tasks_succeeded, run.tasks_not_run], [true, "failed", 1, 2]);
  assert.match(post.summary.split("\n")[0] ?? "", /cut short/);
  // A file that could not be loaded is a failure, whatever the rest would have brought.
  assert.match(post.summary, /d\.yaml/);
  assertPublishedOnce(job, /cut short, 1 of 3/);
}

/** A process that still runs: one that nobody has reaped is none. */
const lives = (pid: number): boolean => existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

describe("the post step", { concurrency: 2, skip: noBundle }, () => {
  test("removes the containers of a main step that was killed, and publishes what had finished", {
    skip: "missing" in image ? image.missing : false,
  }, async (t) => {
    const { job, runId, env } = await killedJob(t, docker, engine);
    leaveContainer(runId, docker.image);
    const post = await runPost(job, { inputs: docker, env });
    assert.deepEqual(containersOf(runId), []);
    assert.match(post.stdout, /^evalbatch \| removed \d containers?\b/m);
    assertRescued(job, post);
  });

  test("ends the processes of a main step that was killed, and removes their directories", async (t) => {
    const { job, temporary, env } = await killedJob(t, {}, noEngine);
    const [path = ""] = globSync("*/work/pid", { cwd: temporary });
    const pid = Number(readFileSync(join(temporary, path), "utf8"));
    assert.ok(lives(pid));
    const post = await runPost(job, { env });
    assert.deepEqual([lives(pid), globSync("*", { cwd: temporary })], [false, []]);
    assertRescued(job, post);
  });

  test("says nothing and asks nobody for anything after a main step that came to its end", async (t) => {
    const job = await makePublishingJob(t, "pull_request");
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    for (const inputs of [{}, { "run-dir": "out2", upload: "none", comment: "never", summary: "false" }]) {
      const main = await job.run({ inputs, env: noEngine });
      assert.equal(main.exitCode, 0, withoutMasks(main.stdout));
      const before = [job.service.requests.length, job.api.requests.length];
      assertQuiet(await runPost(job, { inputs, env: noEngine }));
      assert.deepEqual([job.service.requests.length, job.api.requests.length], before);
    }
  });

  test("publishes a run that was written before its main step was killed, and does not call it cut short", async (t) => {
    const job = await makePublishingJob(t, "pull_request", { faults: { CreateArtifact: ["stall"] } });
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    job.write("evals/b.yaml", taskYaml("b", "true"));
    const main = job.start();
    await job.service.asked("CreateArtifact");
    main.child.kill("SIGKILL");
    await main.ended;
    const before = runJson(job);
    const post = await runPost(job, { env: noEngine });
    assertHarmless(post);
    assert.deepEqual(warnings(post), []);
    assert.match(post.summary.split("\n")[0] ?? "", /failed, 1 of 2 tasks passed/);
    assert.match(post.summary, /the step ended before everything was published/);
    assert.doesNotMatch(post.summary, /cut short/);
    assertPublishedOnce(job, /failed, 1 of 2/);
    const { verdict, interrupted, tasks_succeeded } = runJson(job);
    assert.deepEqual({ verdict, interrupted, tasks_succeeded }, { verdict: before.verdict, interrupted: false, tasks_succeeded: 1 });
  });

  test("finds nothing where the run directory is gone, and says nothing", async (t) => {
    const { job, env } = await killedJob(t, {}, noEngine);
    rmSync(join(job.workspace, "out"), { recursive: true });
    const post = await runPost(job, { env });
    assertHarmless(post);
    assert.deepEqual([warnings(post), post.summary, job.service.requests.length, job.comments().length], [[], "", 0, 0]);
    assert.ok(!existsSync(join(job.workspace, "out")));
  });

  test("rebuilds a run.json that is broken, and keeps the broken one", async (t) => {
    const { job, env } = await killedJob(t, {}, noEngine);
    writeFileSync(join(job.workspace, "out/run.json"), '{"run_id": "out", "task_res');
    assertRescued(job, await runPost(job, { env }));
    assert.match(readFileSync(join(job.workspace, "out/run.json.unreadable"), "utf8"), /task_res$/);
  });

  test("publishes although the engine says nothing", async (t) => {
    const { job, env } = await killedJob(t, {}, noEngine);
    const path = join(job.directory, "silent.sock");
    const silent = createServer(() => undefined).listen(path);
    t.after(() => void silent.close());
    assertRescued(job, await runPost(job, { env: { ...env, DOCKER_HOST: `unix://${path}` } }));
  });

  test("warns once of each service that is gone, and writes the summary", async (t) => {
    const { job, env } = await killedJob(t, {}, noEngine);
    await Promise.all([job.api.close(), job.service.close()]);
    const post = await runPost(job, { env });
    assertHarmless(post);
    assert.match(post.summary.split("\n")[0] ?? "", /cut short/);
    assert.deepEqual(
      warnings(post).map((line) => /results were not uploaded|comment on #7 could not be written/.exec(line)?.[0]),
      ["results were not uploaded", "comment on #7 could not be written"],
    );
  });

  test("says where the results are when an input is wrong, and which", async (t) => {
    const { job, env } = await killedJob(t, {}, noEngine);
    const post = await runPost(job, { inputs: { upload: "everything" }, env });
    assertHarmless(post);
    assert.match(warnings(post).join("\n"), /could not be published: .*"upload".*\/workspace\/out$/s);
    assert.deepEqual([uploaded(job).length, job.comments().length], [0, 0]);
  });

  test("has nothing to do after a run that was skipped, refused or never begun", async (t) => {
    const job = await makePublishingJob(t, "pull_request-fork");
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    const ends = [
      { inputs: { env: "MODEL_API_KEY=" }, verdict: "skipped" },
      { inputs: { upload: "everything" }, verdict: "error" },
      { inputs: { tasks: "nowhere" }, verdict: "error" },
    ];
    for (const { inputs, verdict } of ends) {
      const main = await job.run({ inputs, env: noEngine });
      assert.equal(main.outputs.verdict, verdict, withoutMasks(main.stdout));
      assertQuiet(await runPost(job, { inputs, env: noEngine }));
    }
    assert.deepEqual([job.service.requests.length, job.api.requests.length], [0, 0]);
  });

  test("of a version that saved only the run's id, removes what there is and leaves the rest", async (t) => {
    const { job, runId, env } = await killedJob(t, {}, noEngine);
    const before = readFileSync(join(job.workspace, "out/plan.json"));
    job.nextStep();
    assertQuiet(await job.run({ door: "post", env: { ...env, STATE_run: runId } }));
    assert.deepEqual([job.service.requests.length, job.api.requests.length], [0, 0]);
    assert.deepEqual(
      [existsSync(join(job.workspace, "out/run.json")), readFileSync(join(job.workspace, "out/plan.json"))],
      [false, before],
    );
  });
});
