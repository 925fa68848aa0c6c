import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApi } from "../../src/github/api.ts";
import { readEvent } from "../../src/github/event.ts";
import { findPullRequest, type PullRequestFound } from "../../src/github/pull-request.ts";
import { eventEnvironment, headSha, runSha } from "../fakes/event-environment.ts";
import { notAccessible, type RestApi, startRestApi } from "../fakes/rest-api.ts";
import type { FakePull } from "../fakes/rest-api-routes.ts";

const pull: FakePull = { number: 7, state: "open", headSha, head: "octo-org:change-prompt" };
const found = { kind: "found", number: 7, headSha } as const;

interface Search {
  readonly pulls?: readonly FakePull[];
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: (server: RestApi) => void;
}

/** What a job that the event of a fixture started finds, and how often it asked. */
async function find(fixture: string, { pulls = [], env = {}, prepare }: Search = {}): Promise<{ end: PullRequestFound; asked: string[] }> {
  await using server = await startRestApi({ repository: { pulls: [...pulls] } });
  prepare?.(server);
  const environment = eventEnvironment(fixture, env);
  const api = createApi("t0ken", { apiUrl: server.url }, { signal: new AbortController().signal, timing: { secondMs: 2 } });
  const end = await findPullRequest(api, readEvent(environment).event, environment);
  return { end, asked: server.requests.map(({ path }) => path) };
}

const ofPush = { GITHUB_SHA: headSha, GITHUB_REF: "refs/heads/change-prompt" };

describe("the pull request of a run", { concurrency: 40 }, () => {
  for (const fixture of ["pull_request", "pull_request-fork", "pull_request-deleted-head", "pull_request_target", "pull_request_review"]) {
    test(`stands in the event ${fixture}`, async () => {
      assert.deepEqual(await find(fixture), { end: found, asked: [] });
    });
  }

  test("is of a push the open one with that head", async () => {
    const pulls: FakePull[] = [
      { ...pull, number: 3, state: "closed" },
      { ...pull, number: 4, headSha: runSha, commits: [headSha] },
      { ...pull, number: 5, base: "upstream/evals" },
      { ...pull, number: 9, head: "octo-org:same-commit" },
      pull,
    ];
    assert.deepEqual((await find("push", { pulls, env: ofPush })).end, found);
  });

  test("is found on any page", async () => {
    const closed = Array.from({ length: 120 }, (_, index): FakePull => ({ ...pull, number: 1000 + index, state: "closed" }));
    assert.deepEqual((await find("push", { pulls: [...closed, pull], env: ofPush })).end, found);
  });

  for (const [what, search] of [
    ["when its pull request was merged", { pulls: [{ ...pull, state: "closed" }], env: ofPush }],
    ["when a later commit is its head", { pulls: [{ ...pull, headSha: runSha, commits: [headSha] }], env: ofPush }],
    ["of a commit that GitHub does not know", { env: { ...ofPush, GITHUB_SHA: `dead${"0".repeat(36)}` } }],
    ["that deleted a branch", { env: { ...ofPush, GITHUB_SHA: "0".repeat(40) } }],
    ["of a tag", { pulls: [pull], env: { ...ofPush, GITHUB_REF: "refs/tags/v1.2.0" } }],
    ["outside of a repository", { pulls: [pull], env: { ...ofPush, GITHUB_REPOSITORY: "" } }],
  ] as const) {
    test(`is none for a push ${what}`, async () => {
      const { end } = await find("push", search);
      assert.equal(end.kind, "none");
      assert.match(end.kind === "none" ? end.why : "", /^(?:no open|a branch|a tag|GITHUB_REPOSITORY)/);
    });
  }

  test("is of a run after a run the oldest that GitHub names", async () => {
    assert.deepEqual(await find("workflow_run"), { end: found, asked: [] });
  });

  test("is of a run after a fork's run the open one of that branch, while its head is that commit", async () => {
    const pulls = [
      { ...pull, head: "stranger:change-prompt" },
      { ...pull, number: 4 },
    ];
    const { end, asked } = await find("workflow_run-fork", { pulls });
    assert.deepEqual(end, found);
    assert.deepEqual(asked, ["/repos/octo-org/evals/pulls?state=open&head=stranger%3Achange-prompt&per_page=100&page=1"]);
    const moved = await find("workflow_run-fork", { pulls: [{ ...pull, head: "stranger:change-prompt", headSha: runSha }] });
    assert.deepEqual(moved.end, { kind: "none", why: "no open pull request has the commit 1f0c2d4 as its head" });
  });

  test("is of a comment on it that one, with its present head", async () => {
    assert.deepEqual((await find("issue_comment", { pulls: [pull] })).end, found);
  });

  for (const [fixture, why] of [
    ["merge_group", /merge queue/],
    ["schedule", /"schedule" has no pull request/],
    ["workflow_dispatch", /"workflow_dispatch" has no pull request/],
    ["issue_comment-issue", /"issue_comment" has no pull request/],
  ] as const) {
    test(`is none for ${fixture}, and GitHub is not asked`, async () => {
      const { end, asked } = await find(fixture, { pulls: [pull] });
      assert.equal(end.kind, "none");
      assert.match(end.kind === "none" ? end.why : "", why);
      assert.deepEqual(asked, []);
    });
  }

  test("is none outside of a job", async () => {
    const { end } = await find("push", { env: { GITHUB_EVENT_NAME: "" } });
    assert.match(end.kind === "none" ? end.why : "", /no job of GitHub Actions/);
  });

  for (const [fixture, env] of [
    ["push", ofPush],
    ["workflow_run-fork", {}],
    ["issue_comment", {}],
  ] as const) {
    test(`is a warning with the permissions where ${fixture} may not look for it`, async () => {
      const { end } = await find(fixture, { env, prepare: ({ faults }) => faults.push({ answer: notAccessible }) });
      assert.equal(end.kind, "failed");
      assert.match(end.kind === "failed" ? end.why : "", /permissions:\n {2}contents: read\n {2}pull-requests: read/);
    });
  }

  test("is a warning when the answer makes no sense", async () => {
    for (const body of ["<html>", { number: "x" }]) {
      const { end } = await find("issue_comment", { prepare: ({ faults }) => faults.push({ answer: { status: 200, body } }) });
      assert.equal(end.kind, "failed");
    }
  });
});
