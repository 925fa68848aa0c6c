import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { notAccessible } from "../fakes/rest-api.ts";
import { comments, get, issue, limit, pull, startApi } from "./api-subject.ts";

describe("GitHub's API", { concurrency: 40 }, () => {
  test("sends the token, and gives what GitHub says", async (t) => {
    const { api, server } = await startApi(t);
    const answer = await api.request(get, pull);
    assert.equal(answer.kind, "ok");
    assert.equal(server.requests[0]?.token, "token t0ken");
  });

  test("an enterprise server has its REST API and its GraphQL at two addresses", async (t) => {
    const { api, server } = await startApi(t, {}, { prefix: "/api/v3" });
    assert.equal((await api.request(get, pull)).kind, "ok");
    assert.deepEqual(await api.graphql("query { viewer { login } }"), { kind: "ok", data: { viewer: { login: "github-actions[bot]" } } });
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ["/repos/octo-org/evals/pulls/7", "/graphql"],
    );
  });

  test("a server error and a broken connection are tried again", async (t) => {
    const { api, server } = await startApi(t);
    server.faults.push({ answer: { status: 502, body: "<html>Bad Gateway</html>" } }, { answer: "reset" });
    assert.equal((await api.request(get, pull)).kind, "ok");
    assert.equal(server.requests.length, 3);
  });

  test("a server that stays broken is given up, with its status", async (t) => {
    const { api, server } = await startApi(t);
    server.faults.push({ answer: { status: 503, body: { message: "No server is available" } }, times: 100 });
    const answer = await api.request(get, pull);
    assert.deepEqual(answer, { kind: "failed", failure: { cause: "server", status: 503, message: "503: No server is available" } });
    assert.equal(server.requests.length, 4);
  });

  test("a request that must not happen twice is not tried again", async (t) => {
    const { api, server } = await startApi(t);
    server.faults.push({ answer: { status: 502 }, times: 9 });
    const answer = await api.request(`POST ${comments}`, { ...issue, body: "x" }, { once: true });
    assert.equal(answer.kind === "failed" && answer.failure.cause, "server");
    assert.equal(server.requests.length, 1);
  });

  for (const status of [400, 401, 403, 404, 410, 422]) {
    test(`${status} is an answer: once is enough`, async (t) => {
      const { api, server } = await startApi(t);
      server.faults.push({ answer: { status, body: { message: "no" } }, times: 9 });
      assert.deepEqual(await api.request(get, pull), { kind: "failed", failure: { cause: "refused", status, message: `${status}: no` } });
      assert.equal(server.requests.length, 1);
    });
  }

  test("an attempt without an answer ends and is tried again", async (t) => {
    const { api, server } = await startApi(t, { timing: { attemptMs: 1500 } });
    server.faults.push({ answer: "hang" });
    assert.equal((await api.request(get, pull)).kind, "ok");
    assert.equal(server.requests.length, 2);
  });

  test("a server that never answers costs no more than the budget, once for all requests", async (t) => {
    const { api, server } = await startApi(t, { timing: { budgetMs: 2500 } });
    server.faults.push({ answer: "hang", times: 9 });
    const ended = { kind: "failed", failure: { cause: "out of time", status: undefined, message: "GitHub took too long" } };
    assert.deepEqual(await api.request(get, pull), ended);
    assert.deepEqual(await api.request(get, pull), ended);
    assert.equal(await api.pause(1), false);
    assert.equal(server.requests.length, 1);
  });

  for (const [what, fault] of [
    ["an answer", { answer: "hang" }],
    ["the next try", { answer: { status: 502 }, times: 9 }],
    ["a limit", limit(429, 2, "secondary rate")],
  ] as const) {
    test(`a stopped job does not wait for ${what}, and sends nothing any more`, async (t) => {
      const stopped = { kind: "failed", failure: { cause: "stopped", status: undefined, message: "the job was stopped" } };
      const stop = new AbortController();
      const secondMs = 50;
      const { api, server } = await startApi(t, { signal: stop.signal, timing: { secondMs } });
      server.faults.push(fault);
      const answer = api.request(get, pull);
      while (server.requests.length === 0) await setImmediate();
      stop.abort();
      assert.deepEqual(await answer, stopped);
      assert.deepEqual(await api.request(get, pull), stopped);
      assert.equal(await api.pause(1), false);
      await setTimeout(4 * secondMs);
      assert.equal(server.requests.length, 1);
    });
  }

  test("a stop ends a pause", async (t) => {
    const stop = new AbortController();
    const { api } = await startApi(t, { signal: stop.signal, timing: { secondMs: 60_000 } });
    const pause = api.pause(1);
    stop.abort();
    assert.equal(await pause, false);
  });

  test("lists come page by page, to the last", async (t) => {
    const { api, server } = await startApi(t);
    for (let id = 1; id <= 250; id += 1) server.repository.comments.push({ id, issue: 7, author: { login: "a", type: "User" }, body: "x" });
    const sizes: unknown[] = [];
    for await (const page of api.pages(`GET ${comments}`, { ...issue, per_page: 100 })) {
      sizes.push(page.kind === "ok" && Array.isArray(page.data) ? page.data.length : page);
    }
    assert.deepEqual(sizes, [100, 100, 50]);
  });

  test("a list that never ends is left, and one that fails on its way ends with the failure", async (t) => {
    const { api, server } = await startApi(t);
    const headers = { link: '<https://elsewhere.example/steal>; rel="next"' };
    server.faults.push({ answer: { status: 200, headers, body: [] }, times: 1000 });
    let pages = 0;
    for await (const page of api.pages(`GET ${comments}`, issue)) pages += page.kind === "ok" ? 1 : 0;
    assert.equal(pages, 100);
    server.faults.splice(0, 1000, { answer: { status: 200, headers, body: [] } }, { answer: notAccessible });
    const kinds: string[] = [];
    for await (const { kind } of api.pages(`GET ${comments}`, issue)) kinds.push(kind);
    assert.deepEqual(kinds, ["ok", "failed"]);
  });

  test("nobody at the address is no answer, with the reason", async (t) => {
    const { api, server } = await startApi(t);
    await server.close();
    const answer = await api.request(get, pull);
    assert.ok(answer.kind === "failed");
    assert.deepEqual([answer.failure.cause, answer.failure.status], ["unreachable", undefined]);
    assert.match(answer.failure.message, /ECONNREFUSED/);
  });

  test("what a server says is one short line without controls", async (t) => {
    const { api, server } = await startApi(t);
    server.faults.push({ answer: { status: 422, body: { message: `\u001b[31mno\r\n::error::${"x".repeat(5000)}` } } });
    const answer = await api.request(get, pull);
    assert.ok(answer.kind === "failed");
    assert.equal(answer.failure.message.length, 300);
    assert.match(answer.failure.message, /^422: no ::error::x+…$/);
  });

  test("a broken file of the event keeps no program from starting: the client reads it, and only when it is asked for", async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "evalbatch-api-"));
    t.after(() => rm(directory, { recursive: true }));
    const eventPath = join(directory, "event.json");
    await writeFile(eventPath, '{"pull_request":');
    const program = `
      import { createApi } from ${JSON.stringify(join(import.meta.dirname, "../../src/github/api.ts"))};
      import ${JSON.stringify(join(import.meta.dirname, "../../src/github/comment.ts"))};
      const api = createApi("t", { apiUrl: "http://127.0.0.1:9" }, { signal: new AbortController().signal });
      process.stdout.write(JSON.stringify(await api.request("GET /user", {})));
    `;
    const args = ["--input-type=module-typescript", "--eval", program];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: { GITHUB_EVENT_PATH: eventPath } });
    assert.match(stdout, /^\{"kind":"failed","failure":\{"cause":"client","message":"[^"]*JSON/);
    assert.equal(stderr, "");
  });
});
