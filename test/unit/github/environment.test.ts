import assert from "node:assert/strict";
import test from "node:test";
import { readEnvironment } from "../../../src/github/environment.ts";

test("the runner's variables are read, and empty ones count as absent", () => {
  const environment = readEnvironment(
    {
      GITHUB_WORKSPACE: "/w",
      GITHUB_RUN_ID: "12",
      GITHUB_RUN_ATTEMPT: "3",
      GITHUB_JOB: "evals",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_STEP_SUMMARY: "",
      RUNNER_DEBUG: "1",
    },
    "/cwd",
  );
  assert.deepEqual(
    { ...environment },
    {
      workspace: "/w",
      tempDir: undefined,
      repository: undefined,
      runId: "12",
      runAttempt: 3,
      job: "evals",
      workflow: undefined,
      workflowRef: undefined,
      action: undefined,
      actor: undefined,
      serverUrl: "https://github.com",
      apiUrl: "https://api.github.com",
      eventName: "pull_request",
      eventPath: undefined,
      sha: undefined,
      ref: undefined,
      summaryPath: undefined,
      debug: true,
    },
  );
});

test("without a runner the current directory is the workspace and it is the first attempt", () => {
  const { workspace, runAttempt, debug } = readEnvironment({ GITHUB_RUN_ATTEMPT: "x" }, "/cwd");
  assert.deepEqual({ workspace, runAttempt, debug }, { workspace: "/cwd", runAttempt: 1, debug: false });
});

test("an enterprise server's address loses the slash at its end", () => {
  const { apiUrl } = readEnvironment({ GITHUB_API_URL: "https://ghe.example.com/api/v3/" }, "/cwd");
  assert.equal(apiUrl, "https://ghe.example.com/api/v3");
});
