import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { type GitHubEvent, readEvent } from "../../../src/github/event.ts";
import { eventEnvironment, headSha, runSha } from "../../fakes/event-environment.ts";

const pullRequest = { kind: "pull_request", name: "pull_request", number: 7, headSha, fork: false, dependabot: false } as const;
const workflowRun = {
  kind: "workflow_run",
  headSha,
  headBranch: "change-prompt",
  headOwner: "octo-org",
  fork: false,
  pullRequests: [],
  startedBy: "pull_request",
} as const;

const events: readonly (readonly [string, string, GitHubEvent])[] = [
  ["a pull request of a branch", "pull_request", pullRequest],
  ["one of a fork", "pull_request-fork", { ...pullRequest, fork: true }],
  ["one whose fork was deleted", "pull_request-deleted-head", { ...pullRequest, fork: true }],
  ["one of Dependabot", "pull_request-dependabot", { ...pullRequest, dependabot: true }],
  ["the target of a pull request", "pull_request_target", { ...pullRequest, name: "pull_request_target", fork: true }],
  ["a review", "pull_request_review", { ...pullRequest, name: "pull_request_review", fork: true }],
  ["a comment on a pull request", "issue_comment", { kind: "other", name: "issue_comment", pullRequest: 7 }],
  ["a comment on an issue", "issue_comment-issue", { kind: "other", name: "issue_comment", pullRequest: undefined }],
  ["a merge queue's group", "merge_group", { kind: "merge_group", headSha }],
  ["a schedule", "schedule", { kind: "other", name: "schedule" }],
  ["a start by hand", "workflow_dispatch", { kind: "other", name: "workflow_dispatch" }],
  ["a run after a run, with the pull requests of its repository and its commit", "workflow_run", { ...workflowRun, pullRequests: [9, 7] }],
  ["a run after a fork's", "workflow_run-fork", { ...workflowRun, headOwner: "stranger", fork: true }],
  ["a run after a push's", "workflow_run-push", { ...workflowRun, startedBy: "push" }],
];

for (const [what, fixture, event] of events) {
  test(`reads ${what}`, () => {
    assert.deepEqual(readEvent(eventEnvironment(fixture)), { event });
  });
}

test("a push is of the runner's commit: that of an annotated tag is not in the payload", () => {
  assert.deepEqual(readEvent(eventEnvironment("push-tag", { GITHUB_SHA: headSha })), { event: { kind: "push", sha: headSha } });
});

test("a push without the runner's commit is of the payload's", () => {
  assert.deepEqual(readEvent(eventEnvironment("push", { GITHUB_SHA: "" })), { event: { kind: "push", sha: headSha } });
});

test("a pull request that Dependabot pushed to is its own, whoever opened it", () => {
  const { event } = readEvent(eventEnvironment("pull_request", { GITHUB_ACTOR: "dependabot[bot]" }));
  assert.deepEqual(event, { ...pullRequest, dependabot: true });
});

test("there is no event outside of a job, and nothing to warn of", () => {
  assert.deepEqual(readEvent(eventEnvironment("pull_request", { GITHUB_EVENT_NAME: "" })), { event: { kind: "other", name: undefined } });
});

test("names that objects have are no events", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.deepEqual(readEvent(eventEnvironment("push", { GITHUB_EVENT_NAME: name })), { event: { kind: "other", name } });
  }
});

interface Written {
  readonly path: string;
  read(content: string, name?: string): ReturnType<typeof readEvent>;
}

function payloadFile(t: { after(work: () => void): void }): Written {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-event-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "event.json");
  return {
    path,
    read(content, name = "pull_request") {
      writeFileSync(path, content);
      return readEvent(eventEnvironment(name, { GITHUB_EVENT_PATH: path }));
    },
  };
}

const unreadable: readonly (readonly [string, string, RegExp])[] = [
  ["broken JSON", '{"pull_request":', /it is no JSON/],
  ["an empty file", "", /it is no JSON/],
  ["a list", "[]", /payload: /],
  ["null", "null", /payload: /],
  ["no pull request", "{}", /pull_request: /],
  ["a number that is none", `{"pull_request":{"number":"7","head":{"sha":"${headSha}"}}}`, /pull_request\.number: /],
  ["a commit that is none", `{"pull_request":{"number":7,"head":{"sha":"$(id)"}}}`, /pull_request\.head\.sha: /],
];

for (const [what, content, warning] of unreadable) {
  test(`${what} in the event's file is a warning that names the field and not what stands there`, (t) => {
    const read = payloadFile(t).read(content);
    assert.deepEqual(read.event, { kind: "other", name: "pull_request" });
    assert.match(read.warning ?? "", warning);
    assert.doesNotMatch(read.warning ?? "", /\$\(id\)/);
  });
}

test("a file that is missing, a directory or not named is a warning", (t) => {
  const { path } = payloadFile(t);
  for (const [given, warning] of [
    [path, /ENOENT/],
    [join(path, ".."), /is no file/],
    ["", /GITHUB_EVENT_PATH is not set/],
  ] as const) {
    const read = readEvent(eventEnvironment("merge_group", { GITHUB_EVENT_PATH: given }));
    assert.deepEqual(read.event, { kind: "other", name: "merge_group" });
    assert.match(read.warning ?? "", warning);
  }
});

test("a file larger than any payload is not read", (t) => {
  const { path } = payloadFile(t);
  writeFileSync(path, "");
  truncateSync(path, 5 * 1024 ** 3);
  assert.match(readEvent(eventEnvironment("pull_request", { GITHUB_EVENT_PATH: path })).warning ?? "", /has 5368709120 bytes/);
});

test("an event made by hand needs a number and a commit, and may begin with a byte order mark", (t) => {
  const read = payloadFile(t).read(`\u{feff}{"pull_request":{"number":7,"head":{"sha":"${runSha}"},"user":null}}`);
  assert.deepEqual(read, { event: { ...pullRequest, headSha: runSha } });
});

test("names beyond what GitHub allows are dropped, and the rest of the event is kept", (t) => {
  const run = {
    head_sha: headSha,
    head_branch: "b".repeat(100_000),
    head_repository: { id: 1, owner: { login: "o".repeat(1000) } },
    event: "push",
    pull_requests: [{ number: -1 }, "x", { number: 7, head: { sha: headSha }, base: { repo: { id: 1 } } }],
  };
  const read = payloadFile(t).read(JSON.stringify({ workflow_run: run, repository: { id: 1 } }), "workflow_run");
  assert.deepEqual(read, {
    event: { ...workflowRun, headBranch: undefined, headOwner: undefined, pullRequests: [7], startedBy: "push" },
  });
});

test("a run of a repository that is gone or not told counts as a fork's", (t) => {
  const file = payloadFile(t);
  for (const head_repository of [null, undefined, {}]) {
    const { event } = file.read(
      JSON.stringify({ workflow_run: { head_sha: headSha, head_repository }, repository: { id: 1 } }),
      "workflow_run",
    );
    assert.equal(event.kind === "workflow_run" && event.fork, true);
  }
});

test("no payload makes reading throw", (t) => {
  const file = payloadFile(t);
  const names = ["pull_request", "issue_comment", "push", "merge_group", "workflow_run"];
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...names), fc.constantFrom("pull_request", "issue", "workflow_run", ""), (json, name, field) => {
      file.read(field === "" ? json : `{"${field}":${json}}`, name);
    }),
    { numRuns: 300 },
  );
});
