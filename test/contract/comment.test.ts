import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CommentEnd } from "../../src/github/comment.ts";
import { hashKey } from "../../src/github/comment-marker.ts";
import { md } from "../../src/untrusted/markdown.ts";
import type { Account } from "../fakes/rest-api-routes.ts";
import { bodies, bot, marker, openSlot, put, startServer, stranger, write, writes } from "./comment-steps.ts";

describe("the comment on a pull request", { concurrency: 40 }, () => {
  test("is one after three runs, with 130 comments of others before it", async (t) => {
    const server = await startServer(t);
    for (let i = 0; i < 130; i += 1) put(server, `comment ${i}`);
    const ends: CommentEnd[] = [];
    for (const run of ["100", "101", "102"])
      ends.push(await write(server, [md`**passed** ${Number(run)}\n`], { runId: run, data: `d${run}` }));
    const url = "https://github.com/octo-org/evals/pull/7#issuecomment-1131";
    assert.deepEqual(ends, [
      { kind: "written", url, created: true, shortened: false },
      { kind: "written", url, created: false, shortened: false },
      { kind: "written", url, created: false, shortened: false },
    ]);
    assert.equal(server.repository.comments.length, 131);
    assert.equal(bodies(server)[130], `<!-- evalbatch:comment key=${hashKey("evals")} run=102 attempt=1 data=d102 -->\n**passed** 102\n`);
    assert.equal(
      server.requests.filter(({ path }) => /per_page=100/.test(path)).length,
      server.requests.filter(({ path }) => /page=/.test(path)).length,
    );
  });

  test("gives what the last one remembers", async (t) => {
    const server = await startServer(t);
    const first = await openSlot(server);
    assert.equal("kind" in first ? first.kind : first.previousData, undefined);
    await write(server, [md`x`], { data: "abc-_9" });
    const second = await openSlot(server, { runId: "101" });
    assert.equal("kind" in second ? second.kind : second.previousData, "abc-_9");
    assert.equal("kind" in second ? second.kind : second.previousAttempt, undefined);
    const again = await openSlot(server, { runAttempt: 3 });
    assert.equal("kind" in again ? again.kind : again.previousAttempt, 1);
    const same = await openSlot(server);
    assert.equal("kind" in same ? same.kind : same.previousAttempt, undefined);
  });

  test("is not a stranger's with our marker, nor one of ours that only quotes it", async (t) => {
    const server = await startServer(t);
    const forged = put(server, `${marker("999")}PASSED`, stranger);
    const quoted = put(server, `look: ${marker("999")}`, bot);
    assert.equal((await write(server, [md`x`])).kind, "written");
    assert.deepEqual(writes(server), ["POST /7/comments"]);
    assert.deepEqual(
      server.repository.comments.map(({ id }) => id),
      [forged, quoted, 1003],
    );
  });

  test("is found by a person's token where there is no GraphQL, and by the job's own where neither tells", async (t) => {
    for (const account of [{ login: "Octocat", type: "User" } as const, bot]) {
      const server = await startServer(t, { prefix: "/api/v3", repository: { graphql: false, account } });
      await write(server, [md`x`]);
      await write(server, [md`y`], { runId: "101" });
      assert.deepEqual(bodies(server), [`${marker("101")}y`]);
    }
  });

  test("is found again by an account that only its own comment tells", async (t) => {
    const account: Account = { login: "evals-app[bot]", type: "Bot" };
    const server = await startServer(t, { repository: { graphql: false, account } });
    await write(server, [md`x`]);
    const end = await write(server, [md`y`], { runId: "101" });
    assert.equal(end.kind === "written" && end.created, false);
    assert.deepEqual(bodies(server), [`${marker("101")}y`]);
  });

  test("is another one for another key", async (t) => {
    const server = await startServer(t);
    await write(server, [md`linux`], { key: "linux" });
    await write(server, [md`mac`], { key: "mac" });
    await write(server, [md`linux 2`], { key: "linux", runId: "101" });
    assert.deepEqual(bodies(server), [`${marker("101", 1, "linux")}linux 2`, `${marker("100", 1, "mac")}mac`]);
  });

  test("that would not change is not written", async (t) => {
    const server = await startServer(t);
    await write(server, [md`same\n`]);
    const [comment] = server.repository.comments;
    // As a person's browser leaves it.
    if (comment !== undefined) comment.body = comment.body.replaceAll("\n", "\r\n");
    assert.equal((await write(server, [md`same\n`])).kind, "written");
    assert.deepEqual(writes(server), ["POST /7/comments"]);
  });

  test("can be written twice by one step", async (t) => {
    const server = await startServer(t);
    const slot = await openSlot(server);
    assert.ok(!("kind" in slot));
    assert.deepEqual([(await slot.write([md`running`], "")).kind, (await slot.write([md`done`], "x")).kind], ["written", "written"]);
    assert.deepEqual(writes(server), ["POST /7/comments", "PATCH /comments/1001"]);
  });
});
