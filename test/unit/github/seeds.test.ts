import assert from "node:assert/strict";
import test from "node:test";
import type { GitHubEvent } from "../../../src/github/event.ts";
import { seedsOf } from "../../../src/github/seeds.ts";

const job = { runId: "987", sha: "a".repeat(40) };
const pull: GitHubEvent = {
  kind: "pull_request",
  name: "pull_request",
  number: 12,
  headSha: "b".repeat(40),
  fork: false,
  dependabot: false,
};
const follows = (pullRequests: readonly number[]): GitHubEvent => ({
  kind: "workflow_run",
  headSha: "c".repeat(40),
  headBranch: "main",
  headOwner: "octo-org",
  fork: false,
  pullRequests,
});

test("the number of the pull request draws, so that each push to it is compared on the same rows and tasks", () => {
  const seeds = { run: "12", cap: "12" };
  assert.deepEqual(seedsOf(pull, job), seeds);
  assert.deepEqual(seedsOf({ kind: "other", name: "issue_comment", pullRequest: 12 }, job), seeds);
  assert.deepEqual(seedsOf(follows([12]), job), seeds);
});

test("without a pull request the workflow run draws rows and the commit draws tasks", () => {
  assert.deepEqual(seedsOf({ kind: "push", sha: "d".repeat(40) }, job), { run: "987", cap: "d".repeat(40) });
  assert.deepEqual(seedsOf({ kind: "merge_group", headSha: "e".repeat(40) }, job), { run: "987", cap: "e".repeat(40) });
  assert.deepEqual(seedsOf({ kind: "other", name: "schedule" }, job), { run: "987", cap: job.sha });
  assert.deepEqual(seedsOf(follows([]), job), { run: "987", cap: "c".repeat(40) });
});

test("of several pull requests with one commit none is taken", () => {
  assert.deepEqual(seedsOf(follows([12, 13]), job), { run: "987", cap: "c".repeat(40) });
});

test("outside of a job the seeds are fixed", () => {
  assert.deepEqual(seedsOf({ kind: "other", name: undefined }, { runId: undefined, sha: undefined }), { run: "0", cap: "0" });
});
