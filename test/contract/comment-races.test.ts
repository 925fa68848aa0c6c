import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { md } from "../../src/untrusted/markdown.ts";
import { notAccessible } from "../fakes/rest-api.ts";
import { bodies, bot, marker, number, openSlot, put, startServer, write, writes } from "./comment-steps.ts";

describe("the comment on a pull request, when others write it too or answers are lost", { concurrency: 40 }, () => {
  test("is the other job's when two make it at once: ours is moved there and deleted", async (t) => {
    const server = await startServer(t);
    let raced = false;
    server.onCarriedOut = ({ method }) => {
      if (method !== "POST" || raced) return;
      raced = true;
      server.repository.comments.unshift({ id: 900, issue: number, author: bot, body: `${marker("100")}the other leg` });
    };
    const end = await write(server, [md`ours`]);
    assert.deepEqual(end, {
      kind: "written",
      url: "https://github.com/octo-org/evals/pull/7#issuecomment-900",
      created: false,
      shortened: false,
    });
    assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
  });

  test("stays the other job's when that one is of a later run", async (t) => {
    const server = await startServer(t);
    server.onCarriedOut = ({ method, path }) => {
      if (method === "POST" && path !== "/graphql" && server.repository.comments.length === 1) {
        server.repository.comments.unshift({ id: 900, issue: number, author: bot, body: `${marker("101")}later` });
      }
    };
    assert.equal((await write(server, [md`ours`])).kind, "newer");
    assert.deepEqual(bodies(server), [`${marker("101")}later`]);
  });

  test("stays ours when the other job was second: that one moves over itself", async (t) => {
    const server = await startServer(t);
    server.onCarriedOut = ({ method, path }) => {
      if (method === "POST" && path !== "/graphql" && server.repository.comments.length === 1) put(server, `${marker("100")}second`, bot);
    };
    assert.equal((await write(server, [md`ours`])).kind, "written");
    assert.deepEqual(bodies(server), [`${marker("100")}ours`, `${marker("100")}second`]);
  });

  test("is one after eight jobs at once", async (t) => {
    const server = await startServer(t);
    await Promise.all(Array.from({ length: 8 }, (_, i) => write(server, [md`leg ${i}`])));
    await write(server, [md`next run`], { runId: "101" });
    assert.deepEqual(bodies(server), [`${marker("101")}next run`]);
  });

  test("that stands twice becomes one, after the first of them was written", async (t) => {
    const server = await startServer(t);
    const [first, second, third] = [
      put(server, `${marker("98")}a`, bot),
      put(server, `${marker("99")}b`, bot),
      put(server, `${marker("97")}c`, bot),
    ];
    assert.equal((await write(server, [md`now`])).kind, "written");
    assert.deepEqual(bodies(server), [`${marker("100")}now`]);
    assert.deepEqual(writes(server), [`PATCH /comments/${first}`, `DELETE /comments/${second}`, `DELETE /comments/${third}`]);
  });

  test("that stands twice is left alone when the second is of a later run: that one's job moves it", async (t) => {
    const server = await startServer(t);
    put(server, `${marker("98")}a`, bot);
    put(server, `${marker("101")}later`, bot);
    assert.equal((await write(server, [md`now`])).kind, "newer");
    assert.deepEqual(writes(server), []);
  });

  test("that stands twice stays so when it can't be written", async (t) => {
    const server = await startServer(t);
    put(server, `${marker("98")}a`, bot);
    put(server, `${marker("99")}b`, bot);
    server.faults.push({ method: "PATCH", answer: notAccessible });
    assert.equal((await write(server, [md`now`])).kind, "forbidden");
    assert.deepEqual(bodies(server), [`${marker("98")}a`, `${marker("99")}b`]);
  });

  for (const [what, runId, attempt] of [
    ["a later run", "1000", 1],
    ["a later attempt of the same run", "100", 2],
  ] as const) {
    test(`of ${what} is left alone`, async (t) => {
      const server = await startServer(t);
      put(server, `${marker(runId, attempt)}later`, bot);
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind, "newer");
      assert.match(end.kind === "newer" ? end.why : "", new RegExp(`#7 already shows a later run \\(${runId}`));
      assert.deepEqual(writes(server), []);
    });
  }

  test("that a later run writes while ours is being made is left alone", async (t) => {
    const server = await startServer(t);
    const id = put(server, `${marker("99")}before`, bot);
    const slot = await openSlot(server);
    const [comment] = server.repository.comments;
    if (comment !== undefined) comment.body = `${marker("101")}later`;
    assert.equal("kind" in slot ? slot.kind : (await slot.write([md`ours`], "")).kind, "newer");
    assert.deepEqual([id, ...writes(server)], [1001]);
  });

  test("that someone deletes meanwhile is made again", async (t) => {
    const server = await startServer(t);
    put(server, `${marker("99")}before`, bot);
    const slot = await openSlot(server);
    server.repository.comments = [];
    const end = "kind" in slot ? slot : await slot.write([md`ours`], "");
    assert.equal(end.kind === "written" && end.created, true);
    assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
  });

  test("that someone deletes between reading and writing is made again", async (t) => {
    const server = await startServer(t);
    const id = put(server, `${marker("99")}before`, bot);
    server.onCarriedOut = ({ method, path }) => {
      if (method === "GET" && path.endsWith(`/comments/${id}`)) server.repository.comments = [];
    };
    assert.equal((await write(server, [md`ours`])).kind, "written");
    assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
  });

  for (const [what, answer] of [
    ["a 502", { status: 502, body: "<html>Bad Gateway</html>" }],
    ["a broken connection", "reset"],
  ] as const) {
    test(`is one when it was made and ${what} hid it`, async (t) => {
      const server = await startServer(t);
      server.faults.push({ method: "POST", path: /comments$/, answer, afterwards: true });
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind === "written" && end.created, true);
      assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
    });

    test(`is made when ${what} came before it was`, async (t) => {
      const server = await startServer(t);
      server.faults.push({ method: "POST", path: /comments$/, answer });
      assert.equal((await write(server, [md`ours`])).kind, "written");
      assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
    });
  }

  test("is given up when GitHub stays broken, and that is no more than a sentence", async (t) => {
    const server = await startServer(t);
    server.faults.push({ method: "POST", path: /comments$/, answer: { status: 502, body: "<html>Bad Gateway</html>" }, times: 9 });
    const end = await write(server, [md`ours`]);
    assert.equal(end.kind, "failed");
    assert.match(end.kind === "failed" ? end.why : "", /^the comment on #7 could not be written \(502\); GitHub has trouble/);
    assert.deepEqual(writes(server), ["POST /7/comments", "POST /7/comments"]);
  });

  test("waits as long as GitHub asks", async (t) => {
    const server = await startServer(t);
    const body = { message: "You have exceeded a secondary rate limit" };
    server.faults.push({ method: "POST", path: /comments$/, answer: { status: 403, headers: { "retry-after": "2" }, body } });
    assert.equal((await write(server, [md`ours`])).kind, "written");
    assert.equal(server.repository.comments.length, 1);
  });
});
