import assert from "node:assert/strict";
import test from "node:test";
import { readEvent } from "../../../src/github/event.ts";
import { unsafeTrigger } from "../../../src/github/trigger.ts";
import { eventEnvironment } from "../../fakes/event-environment.ts";

const reasonFor = (fixture: string, env: Record<string, string> = {}): string | undefined =>
  unsafeTrigger(readEvent(eventEnvironment(fixture, env)).event);

for (const fixture of ["pull_request_target", "issue_comment", "issue_comment-issue", "workflow_run-fork"]) {
  test(`${fixture} is refused, with what to do`, () => {
    const reason = reasonFor(fixture) ?? "";
    assert.match(reason, new RegExp(`^the trigger ${fixture.replace(/-.*/, "")} gives this job the repository's secrets`));
    assert.match(reason, /allow-unsafe-trigger/);
    assert.match(reason, /docs\/action\.md/);
  });
}

for (const name of ["issues", "discussion", "discussion_comment", "commit_comment", "gollum"]) {
  test(`${name} is refused: anyone can start it`, () => {
    assert.match(reasonFor("push", { GITHUB_EVENT_NAME: name }) ?? "", /anyone can start it/);
  });
}

for (const fixture of [
  "pull_request",
  "pull_request-fork",
  "pull_request-dependabot",
  "pull_request-deleted-head",
  "pull_request_review",
  "push",
  "push-tag",
  "schedule",
  "workflow_dispatch",
  "merge_group",
  "workflow_run",
  "workflow_run-push",
]) {
  test(`${fixture} is fine`, () => {
    assert.equal(reasonFor(fixture), undefined);
  });
}

test("repository_dispatch is fine, and so is no event at all", () => {
  assert.equal(reasonFor("push", { GITHUB_EVENT_NAME: "repository_dispatch" }), undefined);
  assert.equal(reasonFor("push", { GITHUB_EVENT_NAME: "" }), undefined);
});

test("a payload that cannot be read makes no trigger safe", () => {
  for (const name of ["pull_request_target", "workflow_run", "issue_comment"]) {
    assert.notEqual(reasonFor("push", { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: "/nowhere" }), undefined);
  }
});

test("a run after a run is as safe as what started that one", () => {
  const event = readEvent(eventEnvironment("workflow_run-push")).event;
  assert.equal(event.kind, "workflow_run");
  const after = (startedBy: string | undefined): string | undefined =>
    event.kind === "workflow_run" ? unsafeTrigger({ ...event, startedBy }) : undefined;
  assert.equal(after("schedule"), undefined);
  assert.match(after("issue_comment") ?? "", /the run before this one was started by issue_comment/);
  assert.match(after("pull_request_target") ?? "", /started by pull_request_target/);
  assert.match(after("workflow_run") ?? "", /does not tell where/);
  assert.match(after(undefined) ?? "", /does not tell where/);
});
