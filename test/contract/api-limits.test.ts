import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { comments, get, issue, limit, pull, startApi } from "./api-subject.ts";

describe("a limit of GitHub's API", { concurrency: 40 }, () => {
  for (const [what, status, message] of [
    ["a secondary limit", 403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."],
    ["a limit in an older server's words", 403, "You have triggered an abuse detection mechanism."],
    ["a gateway's 429", 429, "Too Many Requests"],
  ] as const) {
    test(`${what} is waited for as long as it asks, and tried again`, async (t) => {
      const secondMs = 100;
      const { api, server } = await startApi(t, { timing: { secondMs } });
      server.faults.push(limit(status, 3, message));
      assert.equal((await api.request(get, pull)).kind, "ok");
      const [first, second] = server.requests;
      assert.ok(first !== undefined && second !== undefined);
      // Timers may fire a little early.
      assert.ok(second.atMs - first.atMs >= 3 * secondMs - 5, `waited ${second.atMs - first.atMs} ms`);
    });
  }

  test("a limit is waited for even with what must not happen twice: it has not happened", async (t) => {
    const { api, server } = await startApi(t);
    server.faults.push(limit(403, 1, "You have exceeded a secondary rate limit"));
    assert.equal((await api.request(`POST ${comments}`, { ...issue, body: "x" }, { once: true })).kind, "ok");
    assert.equal(server.repository.comments.length, 1);
  });

  test("the hour's limit is waited for when it ends soon", async (t) => {
    const { api, server } = await startApi(t);
    const reset = String(Math.floor(Date.now() / 1000) + 5);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    server.faults.push({ answer: { status: 403, headers, body: { message: "API rate limit exceeded" } } });
    assert.equal((await api.request(get, pull)).kind, "ok");
  });

  for (const [what, status, headers, said] of [
    ["a wait of an hour", 403, { "retry-after": "3600" }, /limit.*asks to wait 3600 s/],
    [
      "a limit until tomorrow",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 86_400) },
      /until \d{4}-/,
    ],
    ["a 429 that does not say how long", 429, {}, /429: API/],
  ] as const) {
    test(`${what} is not waited for`, async (t) => {
      const { api, server } = await startApi(t);
      server.faults.push({ answer: { status, headers, body: { message: "API rate limit exceeded" } }, times: 9 });
      const answer = await api.request(get, pull);
      assert.ok(answer.kind === "failed");
      assert.equal(answer.failure.cause, "limited");
      assert.match(answer.failure.message, said);
      assert.equal(server.requests.length, 1);
    });
  }

  test("a limit that comes back each time ends", async (t) => {
    const { api, server } = await startApi(t);
    server.faults.push({ ...limit(429, 1, "You have exceeded a secondary rate limit"), times: 100 });
    const answer = await api.request(get, pull);
    assert.equal(answer.kind === "failed" && answer.failure.cause, "limited");
    assert.equal(server.requests.length, 5);
  });
});
