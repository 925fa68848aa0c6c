import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { promisify } from "node:util";
import type { PostBounds } from "../../src/commands/action-post.ts";
import { headSha } from "../fakes/event-environment.ts";
import { startRestApi } from "../fakes/rest-api.ts";
import { startResultsService } from "../fakes/results-service.ts";
import { copyOfRun } from "../unit/results/fixtures.ts";

// The post step where everything that it talks to takes the question and never answers. Its bounds are shorter here.

const run = promisify(execFile);
const events = join(import.meta.dirname, "../fixtures/events");

async function postOfSilence(t: TestContext, bounds: PostBounds) {
  const directory = copyOfRun("all-pass");
  t.after(() => directory[Symbol.dispose]());
  rmSync(join(directory.path, "run.json"));
  writeFileSync(join(directory.path, "plan.json"), JSON.stringify({ run_id: "x", start_time: "2026-01-02T03:04:05Z", tasks: [] }));
  const [state, summary, socket] = ["state", "summary", "engine.sock"].map((name) => join(directory.path, name));
  for (const file of [state, summary]) writeFileSync(file ?? "", "");
  const engine = createServer(() => undefined).listen(socket);
  const api = await startRestApi();
  api.faults.push({ answer: "hang", times: 1000 });
  const service = await startResultsService({ faults: { CreateArtifact: Array.from({ length: 100 }, () => "stall" as const) } });
  t.after(async () => {
    engine.close();
    await Promise.all([api.close(), service.close()]);
  });
  const { stdout, stderr } = await run(process.execPath, [join(import.meta.dirname, "post-child.ts"), JSON.stringify(bounds)], {
    // Longer than the machine needs to start it; the real bounds are longer.
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      HOME: directory.path,
      TMPDIR: directory.path,
      DOCKER_HOST: `unix://${socket}`,
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: directory.path,
      GITHUB_REPOSITORY: "octo-org/evals",
      GITHUB_RUN_ID: "7",
      GITHUB_JOB: "evals",
      GITHUB_SHA: headSha,
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: join(events, "pull_request.json"),
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_API_URL: api.url,
      GITHUB_STATE: state,
      GITHUB_STEP_SUMMARY: summary,
      ACTIONS_RESULTS_URL: service.url,
      ACTIONS_RUNTIME_TOKEN: service.token,
      INPUT_TASKS: "evals",
      "INPUT_GITHUB-TOKEN": "ghs_NoTokenAtAll0001",
      STATE_run: "x-1",
      "STATE_run-dir": directory.path,
      STATE_cwd: directory.path,
    },
  });
  const warnings = stdout.split("\n").filter((line) => line.startsWith("::warning"));
  return { stdout, stderr, warnings, summary: readFileSync(summary ?? "", "utf8"), asked: [service.requests.length, api.requests.length] };
}

test("a post step whose engine and services all hang gives each up in time, and still writes the summary", async (t) => {
  const post = await postOfSilence(t, { removeMs: 300, networkMs: 6000, publishMs: 30_000 });
  assert.deepEqual([post.stderr, post.asked.every((count) => count > 0)], ["", true]);
  assert.deepEqual(
    post.warnings.map((line) => /could not be removed in time|were not uploaded|comment on #7 could not be written/.exec(line)?.[0]),
    ["could not be removed in time", "were not uploaded", "comment on #7 could not be written"],
    post.stdout,
  );
  assert.match(post.summary.split("\n")[0] ?? "", /cut short/);
});

test("a post step whose publishing never comes to its end is ended, and says where the results are", async (t) => {
  const post = await postOfSilence(t, { removeMs: 300, networkMs: 60_000, publishMs: 3000 });
  assert.match(post.warnings.join("\n"), /could not be published in time; they are in \//);
  assert.equal(post.stderr, "");
});
