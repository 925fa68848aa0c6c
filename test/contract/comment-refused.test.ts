import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { md, type SafeMarkdown } from "../../src/untrusted/markdown.ts";
import { notAccessible } from "../fakes/rest-api.ts";
import { startServer, write } from "./comment-steps.ts";

describe("a comment that may not be written", { concurrency: 40 }, () => {
  test("says which permissions the job lacks", async (t) => {
    const server = await startServer(t);
    server.faults.push({ method: "POST", answer: notAccessible });
    const end = await write(server, [md`ours`]);
    assert.deepEqual(end, {
      kind: "forbidden",
      why: `the comment on #7 could not be written (403: Resource not accessible by integration - ${docs}); give the job these permissions:
permissions:
  contents: read
  pull-requests: write`,
    });
  });

  test("is nothing wrong for a fork, and says how it can be posted all the same", async (t) => {
    const server = await startServer(t);
    server.faults.push({ method: "POST", answer: notAccessible });
    const end = await write(server, [md`ours`], { fork: true });
    assert.equal(end.kind, "forbidden");
    const why = end.kind === "forbidden" ? end.why : "";
    assert.match(why, /this is expected: pull requests from forks and from Dependabot get a token that can only read/);
    assert.match(why, /workflow on workflow_run can post the comment from the artifact's comment\.json \(see docs\/action\.md\)/);
    assert.doesNotMatch(why, /pull-requests: write/);
  });

  const docs = "https://docs.github.com/rest/issues/comments#create-an-issue-comment";
  for (const [what, status, message, kind, remedy] of [
    ["a wrong token", 401, "Bad credentials", "failed", /token of the input github-token is wrong, expired/],
    [
      "no such pull request",
      404,
      "Not Found",
      "failed",
      /token may not see it: in a private repository it needs\npermissions:\n {2}contents: read/,
    ],
    ["a deleted one", 410, "This issue was deleted", "failed", /it was deleted/],
    ["a locked one", 403, "Unable to create comment because issue is locked.", "forbidden", /conversation is locked: unlock it/],
    [
      "a personal token",
      403,
      "Resource not accessible by personal access token",
      "forbidden",
      /give the personal access token .*pull-requests: write/s,
    ],
    ["single sign-on", 403, "Resource protected by organization SAML enforcement.", "forbidden", /single sign-on/],
  ] as const) {
    test(`has a remedy of its own for ${what}`, async (t) => {
      const server = await startServer(t);
      server.faults.push({ answer: { status, body: { message } }, times: 9 });
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind, kind);
      assert.match("why" in end ? end.why : "", new RegExp(`could not be written \\(${status}: ${message}`));
      assert.match("why" in end ? end.why : "", remedy);
    });
  }

  test("is only a sentence when the server's answers make no sense", async (t) => {
    const server = await startServer(t);
    for (const body of ["<html>log in</html>", {}, null, [{ id: "x" }]]) {
      server.faults.push({ answer: { status: 200, body }, times: 2 });
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind, "failed");
      server.faults.splice(0);
    }
  });

  test("is only a sentence when a report cannot be made", async (t) => {
    const server = await startServer(t);
    function* broken(): Generator<SafeMarkdown> {
      yield* [];
      throw new Error("no report");
    }
    const end = await write(server, broken());
    assert.match(end.kind === "failed" ? end.why : "", /no report/);
  });
});
