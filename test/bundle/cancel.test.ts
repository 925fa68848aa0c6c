import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { connectEngine } from "../../src/sandbox/docker/connect.ts";
import { discoverEndpoints } from "../../src/sandbox/docker/discover.ts";
import { startEngineProxy } from "../docker/engine-proxy.ts";
import type { RestFault } from "../fakes/rest-api.ts";
import type { Fault, Place } from "../fakes/results-service.ts";
import { annotations, noBundle, taskYaml } from "./action-process.ts";
import { busyboxImage } from "./busybox-image.ts";
import {
  assertAddsUp,
  assertPublishedOnce,
  cancelStep,
  containersOf,
  engine,
  hasRun,
  leaveContainer,
  promisedMs,
  runJson,
  runPost,
  says,
  seededRandom,
  withoutMasks,
  writeLoad,
} from "./cancelled-job.ts";
import { makePublishingJob, type PublishingJob, savedState } from "./publishing-job.ts";

const image = noBundle === false ? busyboxImage() : { missing: noBundle };
const options = { skip: "missing" in image ? image.missing : false };
const inputs = { driver: "docker", image: "tag" in image ? image.tag : "", "max-parallel": "8" };

const seed = Number(process.env.EVALBATCH_CANCEL_SEED ?? Date.now() % 1_000_000);
const rounds = 10;
const tasks = 24;
const random = seededRandom(seed);

/** Two rounds hit a step that is still starting, the others one under load. */
const moments = Array.from({ length: rounds }, (_, index) => ({
  name: index % 3 === 2 ? ("SIGTERM" as const) : ("SIGINT" as const),
  early: index % 5 === 4,
  delayMs: Math.floor(random() * (index % 5 === 4 ? 1200 : 5000)),
}));

for (const [index, { name, early, delayMs }] of moments.entries()) {
  const when = `${delayMs} ms after its ${early ? "process" : "batch"} began`;
  test(
    `cancelled by ${name} ${when}, a step ends in time and its post step publishes what there is (round ${index + 1}, seed ${seed})`,
    options,
    async (t) => {
      const job = await makePublishingJob(t, "pull_request");
      writeLoad(job, tasks);
      const main = job.start({ inputs, env: engine });
      if (!early) assert.ok(await says(main, "running "));
      await delay(delayMs);
      const { ended, how, tookMs } = await cancelStep(main, name);
      const { run: runId } = ended.state;
      const left = runId === undefined ? [] : containersOf(runId);
      const started = /^running /m.test(ended.stdout);
      const sum = hasRun(job) && started ? `${runJson(job).tasks_succeeded} passed, ${runJson(job).tasks_not_run} not run` : "no run";
      t.diagnostic(`${name} ${when}: ended by ${how} after ${Math.round(tookMs)} ms; ${sum}; ${left.length} containers left`);
      assert.ok(tookMs < promisedMs, `${tookMs} ms\n${withoutMasks(ended.stdout)}`);
      assert.ok(how === 130 || (how === name && runId === undefined), `${how}\n${withoutMasks(ended.stdout)}${ended.stderr}`);
      assert.notEqual(ended.outputs.verdict, "passed");
      assert.equal(ended.stderr, "");
      if (started) {
        const run = runJson(job);
        assertAddsUp(run, tasks);
        assert.equal(run.interrupted, true);
        assert.equal(ended.outputs["tasks-not-run"], String(run.tasks_not_run));
        assert.match(ended.summary.split("\n")[0] ?? "", /cut short/);
      }
      assert.deepEqual(left, []);

      const state = savedState(job);
      const post = await runPost(job, { inputs, env: engine });
      assert.deepEqual([post.exitCode, post.stderr], [0, ""], withoutMasks(post.stdout));
      if (state.STATE_run === undefined) {
        assert.deepEqual([post.stdout, post.summary, job.service.requests.length, job.api.requests.length], ["", "", 0, 0]);
        return;
      }
      assert.deepEqual(containersOf(state.STATE_run), []);
      assert.match(post.summary, /cut short/);
      assertPublishedOnce(job, /incomplete|cut short/);
      assert.equal(runJson(job).interrupted, true);
      assert.deepEqual(globSync("out/**/*.tmp", { cwd: job.workspace }), [], join(job.workspace, "out"));
    },
  );
}

for (const again of [false, true]) {
  const name = again
    ? "a second signal ends a stop that hangs at once, and the post step makes up for it"
    : "an engine that hangs while a step is cancelled costs no result, and the post step removes what it kept";
  test(name, options, async (t) => {
    await using proxy = await startEngineProxy(await connectEngine(discoverEndpoints(process.env, process.platform)));
    const job = await makePublishingJob(t, "pull_request");
    writeLoad(job, 6);
    const main = job.start({ inputs, env: { DOCKER_HOST: proxy.address } });
    assert.ok(await says(main, "[1/6] "));
    proxy.freeze();
    const cancelled = cancelStep(main, "SIGINT");
    if (again) {
      // Not sooner: one Ctrl-C may be delivered twice.
      await delay(1200);
      main.child.kill("SIGINT");
    }
    const { ended, how, tookMs } = await cancelled;
    t.diagnostic(`ended by ${how} after ${Math.round(tookMs)} ms`);
    assert.deepEqual([how, tookMs < promisedMs], [130, true], withoutMasks(ended.stdout));
    assert.equal(existsSync(join(job.workspace, "out/run.json")), !again);
    assert.notEqual(ended.outputs.verdict, "passed");
    const { run: runId = "" } = ended.state;
    leaveContainer(runId, inputs.image);
    const post = await runPost(job, { inputs, env: engine });
    assert.deepEqual([post.exitCode, post.stderr], [0, ""], withoutMasks(post.stdout));
    assert.deepEqual(containersOf(runId), []);
    const run = runJson(job);
    assertAddsUp(run, 6);
    assert.deepEqual([run.interrupted, run.tasks_succeeded > 0], [true, true]);
    assert.match(post.summary, /cut short/);
    assertPublishedOnce(job, /cut short/);
  });
}

test("a cancel while an engine is looking for old leftovers, which takes for ever, still leaves a whole run.json", options, async (t) => {
  const job = await makePublishingJob(t, "pull_request");
  writeLoad(job, 6);
  const sweeping = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/, "");
    if (path === "/version") response.end(JSON.stringify({ Version: "20.10.24", ApiVersion: "1.41", MinAPIVersion: "1.12" }));
    else if (path.endsWith("/info")) response.end(JSON.stringify({ NCPU: 2, MemTotal: 4e9 }));
    else if (path.endsWith("/volumes")) sweeping.resolve();
  });
  const path = join(job.directory, "slow.sock");
  server.listen(path);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const main = job.start({ inputs, env: { DOCKER_HOST: `unix://${path}` } });
  await sweeping.promise;
  const { ended, how, tookMs } = await cancelStep(main, "SIGINT");
  t.diagnostic(`ended by ${how} after ${Math.round(tookMs)} ms`);
  assert.deepEqual([how, tookMs < promisedMs], [130, true], withoutMasks(ended.stdout));
  assertAddsUp(runJson(job), 6);
  assert.deepEqual([runJson(job).interrupted, ended.outputs["tasks-not-run"]], [true, "6"]);
});

/** Where publishing hangs when the cancel comes, and how many uploads are left to the post step. */
const hangs: readonly { readonly at: string; readonly service?: Place; readonly api?: RestFault; readonly uploads: number }[] = [
  { at: "the artifact is announced", service: "CreateArtifact", uploads: 1 },
  // Its name is taken then, and stays so.
  { at: "the artifact is sent", service: "PutBlock", uploads: 1 },
  { at: "the comment is looked for", api: { method: "GET", path: /comments/, answer: "hang" }, uploads: 0 },
  { at: "the comment is sent", api: { method: "POST", path: /comments/, answer: "hang" }, uploads: 0 },
  {
    at: "GitHub answers late that the comment stands",
    api: { method: "POST", path: /comments/, answer: "hang", afterwards: true },
    uploads: 0,
  },
];

/** Resolves when the service, or the API, has the request that hangs. */
async function hanging(job: PublishingJob, service: Place | undefined, fault: RestFault | undefined): Promise<void> {
  if (service !== undefined) return await job.service.asked(service);
  while (!job.api.requests.some(({ method, path }) => method === fault?.method && fault.path?.test(path))) await delay(10);
}

for (const [index, { at, service, api, uploads }] of hangs.entries()) {
  test(`cancelled while ${at}, a step ends in time, and its post step does what is missing, and only that`, options, async (t) => {
    const stalls: Fault[] = ["stall"];
    const job = await makePublishingJob(t, "pull_request", service === undefined ? {} : { faults: { [service]: stalls } });
    if (api !== undefined) job.api.faults.push(api);
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    if (index % 2 === 0) job.write("evals/b.yaml", taskYaml("b", "true"));
    const main = job.start();
    await hanging(job, service, api);
    // Our comment is looked for while the upload goes on.
    while (uploads === 0 && savedState(job)["STATE_published-artifact"] === undefined) await delay(10);
    const { ended, how, tookMs } = await cancelStep(main, "SIGINT");
    const log = withoutMasks(ended.stdout);
    t.diagnostic(`${at}: ended by ${how} after ${Math.round(tookMs)} ms`);
    assert.ok(tookMs < promisedMs, `${tookMs} ms`);
    // Every task has run: the gate's word stands.
    const verdict = index % 2 === 0 ? "failed" : "passed";
    assert.deepEqual([how, ended.outputs.verdict], [verdict === "failed" ? 1 : 0, verdict], log);
    assert.deepEqual(
      annotations(ended.stdout).filter((line) => /^warning (?!unknown input)/.test(line)),
      [],
    );
    assert.match(ended.summary.split("\n")[0] ?? "", new RegExp(verdict));
    const before = job.service.requests.length;
    const post = await runPost(job);
    assert.deepEqual([post.exitCode, post.stderr], [0, ""], withoutMasks(post.stdout));
    assert.equal(
      job.service.requests.slice(before).filter(({ place }) => place === "FinalizeArtifact").length,
      uploads,
      withoutMasks(post.stdout),
    );
    assertPublishedOnce(job, new RegExp(verdict));
    assert.equal(runJson(job).interrupted, false);
    assert.match(post.summary, /ended before everything was published/);
  });
}
