import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createApi } from "../../src/github/api.ts";
import { type CommentEnd, type CommentSlot, openComment } from "../../src/github/comment.ts";
import { hashKey, markerLine } from "../../src/github/comment-marker.ts";
import { codeBlock, md, type SafeMarkdown } from "../../src/untrusted/markdown.ts";
import { notAccessible, type RestApi, type RestApiOptions, startRestApi } from "../fakes/rest-api.ts";
import type { Account } from "../fakes/rest-api-routes.ts";

const number = 7;
const stranger: Account = { login: "stranger", type: "User" };
const bot: Account = { login: "github-actions[bot]", type: "Bot" };

interface Step {
  readonly key?: string;
  readonly runId?: string | undefined;
  readonly runAttempt?: number;
  readonly fork?: boolean;
  readonly data?: string;
}

async function start(t: { after(work: () => unknown): void }, options: RestApiOptions = {}): Promise<RestApi> {
  const server = await startRestApi(options);
  t.after(() => server.close());
  return server;
}

/** Each step of a workflow has a client of its own. */
async function open(server: RestApi, step: Step = {}): Promise<CommentSlot | Exclude<CommentEnd, { kind: "written" | "newer" }>> {
  const api = createApi("t0ken", { apiUrl: server.url }, { signal: new AbortController().signal, timing: { secondMs: 2 } });
  const { key = "evals", runId = "100", runAttempt = 1, fork = false } = step;
  return await openComment(api, { repository: server.repository.fullName, number, key, fork, runId, runAttempt });
}

async function write(server: RestApi, ladder: Iterable<SafeMarkdown>, step: Step = {}): Promise<CommentEnd> {
  const slot = await open(server, step);
  return "kind" in slot ? slot : await slot.write(ladder, step.data ?? "");
}

/** A comment that is there before. */
function put(server: RestApi, body: string, author: Account = stranger): number {
  const id = Math.max(1000, ...server.repository.comments.map((comment) => comment.id)) + 1;
  server.repository.comments.push({ id, issue: number, author, body });
  return id;
}

const marker = (runId: string, attempt = 1, key = "evals"): string => markerLine({ key: hashKey(key), runId, attempt, data: "" });
const bodies = (server: RestApi): string[] => server.repository.comments.map(({ body }) => body);
const writes = (server: RestApi): string[] =>
  server.writes().map(({ method, path }) => `${method} ${path.replace("/repos/octo-org/evals/issues", "")}`);

describe("the comment on a pull request", { concurrency: 40 }, () => {
  test("is one after three runs, with 130 comments of others before it", async (t) => {
    const server = await start(t);
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
    const server = await start(t);
    const first = await open(server);
    assert.equal("kind" in first ? first.kind : first.previousData, undefined);
    await write(server, [md`x`], { data: "abc-_9" });
    const second = await open(server, { runId: "101" });
    assert.equal("kind" in second ? second.kind : second.previousData, "abc-_9");
  });

  test("is not a stranger's with our marker, nor one of ours that only quotes it", async (t) => {
    const server = await start(t);
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
      const server = await start(t, { prefix: "/api/v3", repository: { graphql: false, account } });
      await write(server, [md`x`]);
      await write(server, [md`y`], { runId: "101" });
      assert.deepEqual(bodies(server), [`${marker("101")}y`]);
    }
  });

  test("is found again by an account that only its own comment tells", async (t) => {
    const account: Account = { login: "evals-app[bot]", type: "Bot" };
    const server = await start(t, { repository: { graphql: false, account } });
    await write(server, [md`x`]);
    const end = await write(server, [md`y`], { runId: "101" });
    assert.equal(end.kind === "written" && end.created, false);
    assert.deepEqual(bodies(server), [`${marker("101")}y`]);
  });

  test("is another one for another key", async (t) => {
    const server = await start(t);
    await write(server, [md`linux`], { key: "linux" });
    await write(server, [md`mac`], { key: "mac" });
    await write(server, [md`linux 2`], { key: "linux", runId: "101" });
    assert.deepEqual(bodies(server), [`${marker("101", 1, "linux")}linux 2`, `${marker("100", 1, "mac")}mac`]);
  });

  test("is the other job's when two make it at once: ours is moved there and deleted", async (t) => {
    const server = await start(t);
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
    const server = await start(t);
    server.onCarriedOut = ({ method, path }) => {
      if (method === "POST" && path !== "/graphql" && server.repository.comments.length === 1) {
        server.repository.comments.unshift({ id: 900, issue: number, author: bot, body: `${marker("101")}later` });
      }
    };
    assert.equal((await write(server, [md`ours`])).kind, "newer");
    assert.deepEqual(bodies(server), [`${marker("101")}later`]);
  });

  test("stays ours when the other job was second: that one moves over itself", async (t) => {
    const server = await start(t);
    server.onCarriedOut = ({ method, path }) => {
      if (method === "POST" && path !== "/graphql" && server.repository.comments.length === 1) put(server, `${marker("100")}second`, bot);
    };
    assert.equal((await write(server, [md`ours`])).kind, "written");
    assert.deepEqual(bodies(server), [`${marker("100")}ours`, `${marker("100")}second`]);
  });

  test("is one after eight jobs at once", async (t) => {
    const server = await start(t);
    await Promise.all(Array.from({ length: 8 }, (_, i) => write(server, [md`leg ${i}`])));
    await write(server, [md`next run`], { runId: "101" });
    assert.deepEqual(bodies(server), [`${marker("101")}next run`]);
  });

  test("that stands twice becomes one, after the first of them was written", async (t) => {
    const server = await start(t);
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
    const server = await start(t);
    put(server, `${marker("98")}a`, bot);
    put(server, `${marker("101")}later`, bot);
    assert.equal((await write(server, [md`now`])).kind, "newer");
    assert.deepEqual(writes(server), []);
  });

  test("that stands twice stays so when it can't be written", async (t) => {
    const server = await start(t);
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
      const server = await start(t);
      put(server, `${marker(runId, attempt)}later`, bot);
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind, "newer");
      assert.match(end.kind === "newer" ? end.why : "", new RegExp(`#7 already shows a later run \\(${runId}`));
      assert.deepEqual(writes(server), []);
    });
  }

  test("that a later run writes while ours is being made is left alone", async (t) => {
    const server = await start(t);
    const id = put(server, `${marker("99")}before`, bot);
    const slot = await open(server);
    const [comment] = server.repository.comments;
    if (comment !== undefined) comment.body = `${marker("101")}later`;
    assert.equal("kind" in slot ? slot.kind : (await slot.write([md`ours`], "")).kind, "newer");
    assert.deepEqual([id, ...writes(server)], [1001]);
  });

  test("that would not change is not written", async (t) => {
    const server = await start(t);
    await write(server, [md`same\n`]);
    const [comment] = server.repository.comments;
    // As a person's browser leaves it.
    if (comment !== undefined) comment.body = comment.body.replaceAll("\n", "\r\n");
    assert.equal((await write(server, [md`same\n`])).kind, "written");
    assert.deepEqual(writes(server), ["POST /7/comments"]);
  });

  test("can be written twice by one step", async (t) => {
    const server = await start(t);
    const slot = await open(server);
    assert.ok(!("kind" in slot));
    assert.deepEqual([(await slot.write([md`running`], "")).kind, (await slot.write([md`done`], "x")).kind], ["written", "written"]);
    assert.deepEqual(writes(server), ["POST /7/comments", "PATCH /comments/1001"]);
  });

  test("that someone deletes meanwhile is made again", async (t) => {
    const server = await start(t);
    put(server, `${marker("99")}before`, bot);
    const slot = await open(server);
    server.repository.comments = [];
    const end = "kind" in slot ? slot : await slot.write([md`ours`], "");
    assert.equal(end.kind === "written" && end.created, true);
    assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
  });

  test("that someone deletes between reading and writing is made again", async (t) => {
    const server = await start(t);
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
      const server = await start(t);
      server.faults.push({ method: "POST", path: /comments$/, answer, afterwards: true });
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind === "written" && end.created, true);
      assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
    });

    test(`is made when ${what} came before it was`, async (t) => {
      const server = await start(t);
      server.faults.push({ method: "POST", path: /comments$/, answer });
      assert.equal((await write(server, [md`ours`])).kind, "written");
      assert.deepEqual(bodies(server), [`${marker("100")}ours`]);
    });
  }

  test("is given up when GitHub stays broken, and that is no more than a sentence", async (t) => {
    const server = await start(t);
    server.faults.push({ method: "POST", path: /comments$/, answer: { status: 502, body: "<html>Bad Gateway</html>" }, times: 9 });
    const end = await write(server, [md`ours`]);
    assert.equal(end.kind, "failed");
    assert.match(end.kind === "failed" ? end.why : "", /^the comment on #7 could not be written \(502\); GitHub has trouble/);
    assert.deepEqual(writes(server), ["POST /7/comments", "POST /7/comments"]);
  });

  test("waits as long as GitHub asks", async (t) => {
    const server = await start(t);
    const body = { message: "You have exceeded a secondary rate limit" };
    server.faults.push({ method: "POST", path: /comments$/, answer: { status: 403, headers: { "retry-after": "2" }, body } });
    assert.equal((await write(server, [md`ours`])).kind, "written");
    assert.equal(server.repository.comments.length, 1);
  });

  test("takes the fullest rendering that should fit", async (t) => {
    const server = await start(t);
    const end = await write(server, [codeBlock("x".repeat(70_000), 70_000), md`fits`]);
    assert.equal(end.kind === "written" && end.shortened, true);
    assert.deepEqual(bodies(server), [`${marker("100")}fits`]);
  });

  test("becomes smaller until GitHub takes it", async (t) => {
    const server = await start(t, { repository: { maxBodyChars: 5000 } });
    const verdict = md`**failed**\n`;
    const end = await write(server, [md`${verdict}${codeBlock("line\n".repeat(9000), 50_000)}`], { data: "d".repeat(100) });
    assert.equal(end.kind === "written" && end.shortened, true);
    const [body = ""] = bodies(server);
    assert.ok(body.length <= 3000, `${body.length} characters`);
    assert.match(body, /data=d{100} -->\n\*\*failed\*\*\n[\s\S]*\n```\n[\s\S]*The report was cut here/);
  });

  test("forgets what it would remember before there is none at all", async (t) => {
    const server = await start(t, { repository: { maxBodyChars: 300 } });
    await write(server, [md`${codeBlock("line\n".repeat(900), 50_000)}`], { data: "d".repeat(1000) });
    const [body = ""] = bodies(server);
    assert.match(body, / data= -->\n\*\*The report is too large for a comment\.\*\*/);
  });

  test("that GitHub takes in no size is a failure with its words", async (t) => {
    const server = await start(t, { repository: { maxBodyChars: 10 } });
    const end = await write(server, [md`ours`]);
    assert.match(end.kind === "failed" ? end.why : "", /Body is too long/);
  });
});

describe("a comment that may not be written", { concurrency: 40 }, () => {
  test("says which permissions the job lacks", async (t) => {
    const server = await start(t);
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
    const server = await start(t);
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
      const server = await start(t);
      server.faults.push({ answer: { status, body: { message } }, times: 9 });
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind, kind);
      assert.match("why" in end ? end.why : "", new RegExp(`could not be written \\(${status}: ${message}`));
      assert.match("why" in end ? end.why : "", remedy);
    });
  }

  test("is only a sentence when the server's answers make no sense", async (t) => {
    const server = await start(t);
    for (const body of ["<html>log in</html>", {}, null, [{ id: "x" }]]) {
      server.faults.push({ answer: { status: 200, body }, times: 2 });
      const end = await write(server, [md`ours`]);
      assert.equal(end.kind, "failed");
      server.faults.splice(0);
    }
  });

  test("is only a sentence when a report cannot be made", async (t) => {
    const server = await start(t);
    function* broken(): Generator<SafeMarkdown> {
      yield* [];
      throw new Error("no report");
    }
    const end = await write(server, broken());
    assert.match(end.kind === "failed" ? end.why : "", /no report/);
  });
});
