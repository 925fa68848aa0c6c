import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { type Api, type ApiDeps, createApi } from "../../src/github/api.ts";
import { notAccessible, type RestApi, type RestApiOptions, startRestApi } from "../fakes/rest-api.ts";

const get = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
const pull = { owner: "octo-org", repo: "evals", pull_number: 7 };
const comments = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const issue = { owner: "octo-org", repo: "evals", issue_number: 7 };

interface Subject {
  readonly api: Api;
  readonly server: RestApi;
}

async function start(t: { after(work: () => unknown): void }, deps: Partial<ApiDeps> = {}, options: RestApiOptions = {}): Promise<Subject> {
  const pulls = [{ number: 7, state: "open", headSha: "b".repeat(40), head: "octo-org:change" }] as const;
  const server = await startRestApi({ ...options, repository: { pulls: [...pulls], ...options.repository } });
  t.after(() => server.close());
  const { timing, ...others } = deps;
  const api = createApi(
    "t0ken",
    { apiUrl: server.url },
    { signal: new AbortController().signal, timing: { secondMs: 2, ...timing }, ...others },
  );
  return { api, server };
}

const limit = (status: number, seconds: number, message: string) => ({
  answer: { status, headers: { "retry-after": String(seconds) }, body: { message } },
});

describe("GitHub's API", { concurrency: 40 }, () => {
  test("sends the token, and gives what GitHub says", async (t) => {
    const { api, server } = await start(t);
    const answer = await api.request(get, pull);
    assert.equal(answer.kind, "ok");
    assert.equal(server.requests[0]?.token, "token t0ken");
  });

  test("an enterprise server has its REST API and its GraphQL at two addresses", async (t) => {
    const { api, server } = await start(t, {}, { prefix: "/api/v3" });
    assert.equal((await api.request(get, pull)).kind, "ok");
    assert.deepEqual(await api.graphql("query { viewer { login } }"), { kind: "ok", data: { viewer: { login: "github-actions[bot]" } } });
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ["/repos/octo-org/evals/pulls/7", "/graphql"],
    );
  });

  test("a server error and a broken connection are tried again", async (t) => {
    const { api, server } = await start(t);
    server.faults.push({ answer: { status: 502, body: "<html>Bad Gateway</html>" } }, { answer: "reset" });
    assert.equal((await api.request(get, pull)).kind, "ok");
    assert.equal(server.requests.length, 3);
  });

  test("a server that stays broken is given up, with its status", async (t) => {
    const { api, server } = await start(t);
    server.faults.push({ answer: { status: 503, body: { message: "No server is available" } }, times: 100 });
    const answer = await api.request(get, pull);
    assert.deepEqual(answer, { kind: "failed", failure: { cause: "server", status: 503, message: "503: No server is available" } });
    assert.equal(server.requests.length, 4);
  });

  test("a request that must not happen twice is not tried again", async (t) => {
    const { api, server } = await start(t);
    server.faults.push({ answer: { status: 502 }, times: 9 });
    const answer = await api.request(`POST ${comments}`, { ...issue, body: "x" }, { once: true });
    assert.equal(answer.kind === "failed" && answer.failure.cause, "server");
    assert.equal(server.requests.length, 1);
  });

  for (const [what, status, message] of [
    ["a secondary limit", 403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."],
    ["a limit in an older server's words", 403, "You have triggered an abuse detection mechanism."],
    ["a gateway's 429", 429, "Too Many Requests"],
  ] as const) {
    test(`${what} is waited for as long as it asks, and tried again`, async (t) => {
      const secondMs = 100;
      const { api, server } = await start(t, { timing: { secondMs } });
      server.faults.push(limit(status, 3, message));
      assert.equal((await api.request(get, pull)).kind, "ok");
      const [first, second] = server.requests;
      assert.ok(first !== undefined && second !== undefined);
      // Timers may fire a little early.
      assert.ok(second.atMs - first.atMs >= 3 * secondMs - 5, `waited ${second.atMs - first.atMs} ms`);
    });
  }

  test("a limit is waited for even with what must not happen twice: it has not happened", async (t) => {
    const { api, server } = await start(t);
    server.faults.push(limit(403, 1, "You have exceeded a secondary rate limit"));
    assert.equal((await api.request(`POST ${comments}`, { ...issue, body: "x" }, { once: true })).kind, "ok");
    assert.equal(server.repository.comments.length, 1);
  });

  test("the hour's limit is waited for when it ends soon", async (t) => {
    const { api, server } = await start(t);
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
      const { api, server } = await start(t);
      server.faults.push({ answer: { status, headers, body: { message: "API rate limit exceeded" } }, times: 9 });
      const answer = await api.request(get, pull);
      assert.ok(answer.kind === "failed");
      assert.equal(answer.failure.cause, "limited");
      assert.match(answer.failure.message, said);
      assert.equal(server.requests.length, 1);
    });
  }

  test("a limit that comes back each time ends", async (t) => {
    const { api, server } = await start(t);
    server.faults.push({ ...limit(429, 1, "You have exceeded a secondary rate limit"), times: 100 });
    const answer = await api.request(get, pull);
    assert.equal(answer.kind === "failed" && answer.failure.cause, "limited");
    assert.equal(server.requests.length, 5);
  });

  for (const status of [400, 401, 403, 404, 410, 422]) {
    test(`${status} is an answer: once is enough`, async (t) => {
      const { api, server } = await start(t);
      server.faults.push({ answer: { status, body: { message: "no" } }, times: 9 });
      assert.deepEqual(await api.request(get, pull), { kind: "failed", failure: { cause: "refused", status, message: `${status}: no` } });
      assert.equal(server.requests.length, 1);
    });
  }

  test("an attempt without an answer ends and is tried again", async (t) => {
    const { api, server } = await start(t, { timing: { attemptMs: 1500 } });
    server.faults.push({ answer: "hang" });
    assert.equal((await api.request(get, pull)).kind, "ok");
    assert.equal(server.requests.length, 2);
  });

  test("a server that never answers costs no more than the budget, once for all requests", async (t) => {
    const { api, server } = await start(t, { timing: { budgetMs: 2500 } });
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
      const { api, server } = await start(t, { signal: stop.signal, timing: { secondMs } });
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
    const { api } = await start(t, { signal: stop.signal, timing: { secondMs: 60_000 } });
    const pause = api.pause(1);
    stop.abort();
    assert.equal(await pause, false);
  });

  test("lists come page by page, to the last", async (t) => {
    const { api, server } = await start(t);
    for (let id = 1; id <= 250; id += 1) server.repository.comments.push({ id, issue: 7, author: { login: "a", type: "User" }, body: "x" });
    const sizes: unknown[] = [];
    for await (const page of api.pages(`GET ${comments}`, { ...issue, per_page: 100 })) {
      sizes.push(page.kind === "ok" && Array.isArray(page.data) ? page.data.length : page);
    }
    assert.deepEqual(sizes, [100, 100, 50]);
  });

  test("a list that never ends is left, and one that fails on its way ends with the failure", async (t) => {
    const { api, server } = await start(t);
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
    const { api, server } = await start(t);
    await server.close();
    const answer = await api.request(get, pull);
    assert.ok(answer.kind === "failed");
    assert.deepEqual([answer.failure.cause, answer.failure.status], ["unreachable", undefined]);
    assert.match(answer.failure.message, /ECONNREFUSED/);
  });

  test("what a server says is one short line without controls", async (t) => {
    const { api, server } = await start(t);
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
