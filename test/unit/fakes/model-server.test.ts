import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import type { ProtocolName } from "../../fakes/model-server/protocol.ts";
import { sessionMark } from "../../fakes/model-server/request.ts";
import { lastWords } from "../../fakes/model-server/scenarios.ts";
import { totalUsage, turnAfter } from "../../fakes/model-server/script.ts";
import { type ModelServer, startModelServer } from "../../fakes/model-server/server.ts";
import { mapCall } from "../../fakes/model-server/tools.ts";

const bash = {
  type: "object",
  properties: { command: { type: "string" }, description: { type: "string" } },
  required: ["command", "description"],
};
const write = {
  type: "object",
  properties: { file_path: { type: "string" }, content: { type: "string" } },
  required: ["file_path", "content"],
};
const prompt = "Your working directory is: /work\n\nWrite it.";

interface Ask {
  readonly path: string;
  /** A request with so many results of tools, and with or without tools. */
  body(results: number, stream: boolean, tools: boolean): object;
}

const list = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_none, index) => make(index));

const asks: Readonly<Record<ProtocolName, Ask>> = {
  anthropic: {
    path: "/v1/messages?beta=true",
    body: (results, stream, tools) => ({
      model: "m",
      stream,
      messages: [{ role: "user", content: prompt }, ...list(results, () => ({ role: "user", content: [{ type: "tool_result" }] }))],
      ...(tools && {
        tools: [
          { name: "Bash", input_schema: bash },
          { name: "Write", input_schema: write },
        ],
      }),
    }),
  },
  responses: {
    path: "/v1/responses",
    body: (results, stream, tools) => ({
      model: "m",
      stream,
      input: [
        { type: "message", content: [{ type: "input_text", text: prompt }] },
        ...list(results, () => ({ type: "function_call_output" })),
      ],
      ...(tools && {
        tools: [
          { type: "function", name: "exec_command", parameters: { properties: { cmd: { type: "string" } } } },
          { type: "web_search" },
        ],
      }),
    }),
  },
  chat: {
    path: "/v1/chat/completions",
    body: (results, stream, tools) => ({
      model: "m",
      stream,
      messages: [{ role: "user", content: prompt }, ...list(results, () => ({ role: "tool", content: "" }))],
      ...(tools && { tools: [{ function: { name: "bash", parameters: bash } }, { function: { name: "write", parameters: write } }] }),
    }),
  },
  gemini: {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: (results, _stream, tools) => ({
      contents: [{ parts: [{ text: prompt }] }, ...list(results, () => ({ parts: [{ functionResponse: {} }] }))],
      ...(tools && {
        tools: [
          {
            functionDeclarations: [
              { name: "run_shell_command", parametersJsonSchema: bash },
              { name: "write_file", parameters: write },
            ],
          },
        ],
      }),
    }),
  },
};

const names: readonly ProtocolName[] = ["anthropic", "responses", "chat", "gemini"];

async function ask(
  server: ModelServer,
  name: ProtocolName,
  scenario: string,
  results = 0,
  more: { stream?: boolean; tools?: boolean; session?: string } = {},
) {
  const { stream = true, tools = true, session = `${name}-${scenario}` } = more;
  const { path, body } = asks[name];
  const target = stream ? path : path.replace("streamGenerateContent?alt=sse", "generateContent");
  const response = await fetch(`${server.url(scenario, session)}${target}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-secret" },
    body: JSON.stringify(body(results, stream, tools)),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

for (const name of names) {
  test(`${name} follows the script from the first call to the last words, streamed and whole`, async () => {
    await using server = await startModelServer();
    for (const stream of [true, false]) {
      const texts = [];
      for (const results of [0, 1, 2]) texts.push((await ask(server, name, "ok", results, { stream })).text);
      const [first = "", second = "", last = ""] = texts;
      assert.match(first, /I will write|I will wr/);
      assert.match(first.replaceAll(/\\+/g, ""), /hello\.py|hell/);
      assert.match(second, /python3|pytho/);
      for (const text of texts.slice(0, 2)) assert.match(text, /Bash|Write|exec_command|"bash"|"write"|run_shell_command|write_file/);
      assert.ok(joined(last).includes(lastWords), last);
    }
    assert.deepEqual(server.problems, []);
    assert.deepEqual(
      server.calls(`${name}-ok`).map(({ protocol, results, aside }) => [protocol, results, aside]),
      [0, 1, 2, 0, 1, 2].map((results) => [name, results, false]),
    );
  });

  test(`${name} tells its failures with status and retry-after, breaks a stream in the middle, and keeps keys out of what it records`, async () => {
    await using server = await startModelServer();
    for (const status of [401, 402, 429, 500, 529]) {
      const answer = await ask(server, name, String(status));
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get("retry-after"), status === 429 ? "1" : null);
      assert.ok(z.looseObject({ error: z.looseObject({ message: z.string() }) }).safeParse(JSON.parse(answer.text)).success);
    }
    const [once, twice, third] = [
      await ask(server, name, "429-twice-then-ok"),
      await ask(server, name, "429-twice-then-ok"),
      await ask(server, name, "429-twice-then-ok"),
    ];
    assert.deepEqual([once.status, twice.status, third.status], [429, 429, 200]);
    await assert.rejects(ask(server, name, "drop"), /terminated|closed|reset|fetch failed/i);
    assert.doesNotMatch(JSON.stringify(server.calls(`${name}-401`)), /sk-secret/);
    assert.equal(server.calls(`${name}-401`)[0]?.key, "present");
  });

  test(`${name} answers a request without tools beside the script`, async () => {
    await using server = await startModelServer();
    const answer = await ask(server, name, "429-twice-then-ok", 0, { tools: false });
    assert.equal(answer.status, 200);
    assert.match(joined(answer.text).replaceAll("\\", ""), /A scripted title/);
    assert.equal(server.calls(`${name}-429-twice-then-ok`)[0]?.aside, true);
    assert.equal((await ask(server, name, "429-twice-then-ok")).status, 429);
  });
}

/** The text of a stream's pieces one after the other. */
function joined(stream: string): string {
  const found = [...stream.matchAll(/"(?:text|delta|content)":"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
  return stream.startsWith("{") ? stream : found.join("");
}

test("a hanging service takes the request and says nothing", async () => {
  await using server = await startModelServer();
  const { path, body } = asks.chat;
  const signal = AbortSignal.timeout(200);
  await assert.rejects(fetch(`${server.url("hang", "h")}${path}`, { method: "POST", body: JSON.stringify(body(0, true, true)), signal }));
  assert.equal(server.calls("h").length, 1);
});

test("usage is told in the buckets of each protocol", async () => {
  await using server = await startModelServer({
    scenarios: {
      cached: { turns: [{ text: "x", usage: { input: 1000, cachedInput: 200, cacheCreation: 100, output: 50, reasoning: 7 } }] },
    },
  });
  const texts = await Promise.all(names.map(async (name) => (await ask(server, name, "cached")).text));
  const [anthropic = "", responses = "", chat = "", gemini = ""] = texts;
  assert.match(anthropic, /"input_tokens":700,"cache_creation_input_tokens":100,"cache_read_input_tokens":200/);
  assert.match(anthropic, /"output_tokens":50,"output_tokens_details":\{"thinking_tokens":7\}/);
  assert.match(
    responses,
    /"input_tokens":1000,"input_tokens_details":\{"cached_tokens":200\},"output_tokens":50,"output_tokens_details":\{"reasoning_tokens":7\}/,
  );
  assert.match(chat, /"prompt_tokens":1000,"completion_tokens":50,"total_tokens":1050,"prompt_tokens_details":\{"cached_tokens":200\}/);
  assert.match(gemini, /"promptTokenCount":1000,"cachedContentTokenCount":200,"candidatesTokenCount":43,"thoughtsTokenCount":7/);
});

test("a mark in the prompt tells session and scenario, so that many tasks of one run share an address", async () => {
  await using server = await startModelServer();
  const body = { model: "m", messages: [{ role: "user", content: `do it ${sessionMark("task-7", "500")}` }], tools: [] };
  const packed = gzipSync(JSON.stringify(body));
  const response = await fetch(`${server.url("ok")}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-encoding": "gzip", authorization: "Bearer k" },
    body: packed,
  });
  await response.body?.cancel();
  assert.equal(response.status, 500);
  assert.deepEqual(
    server.calls("task-7").map(({ scenario }) => scenario),
    ["500"],
  );
  assert.deepEqual(server.calls("k"), []);
});

test("what is no call of a model is answered and not recorded", async () => {
  await using server = await startModelServer();
  const get = async (path: string) => (await fetch(`${server.url("ok", "s")}${path}`)).status;
  assert.deepEqual([await get("/v1/models"), await get("/"), await get("/v1/nothing")], [200, 200, 404]);
  const count = await fetch(`${server.url("ok", "s")}/v1/messages/count_tokens?beta=true`, { method: "POST", body: "{}" });
  assert.deepEqual(await count.json(), { input_tokens: 1234 });
  assert.deepEqual(server.calls("s"), []);
});

test("calls go to the tools that are there, with every argument that these require", () => {
  const tools = [
    { name: "run_shell_command", schema: bash },
    { name: "create", schema: { properties: { path: {}, file_text: {}, mode: { enum: ["new", "old"] } }, required: ["path", "mode"] } },
  ];
  assert.deepEqual(mapCall({ tool: "write", path: "a.txt", content: "x\n" }, tools, "/w"), {
    name: "create",
    input: { path: "/w/a.txt", file_text: "x\n", mode: "new" },
  });
  assert.deepEqual(mapCall({ tool: "shell", command: "ls" }, tools, "/w"), {
    name: "run_shell_command",
    input: { command: "ls", description: "as the script says" },
  });
  const shellOnly = mapCall({ tool: "write", path: "a.txt", content: "x\n" }, tools.slice(0, 1), "/w");
  assert.match(String(shellOnly.input.command), /^cat > '\/w\/a\.txt' <<'(\w+)'\nx\n\1$/);
  assert.throws(() => mapCall({ tool: "shell", command: "ls" }, [], "/w"), /no shell/);
});

test("the next turn depends on the results in the conversation alone", () => {
  const usage = { input: 10, cachedInput: 1, output: 2 };
  const shell = { tool: "shell", command: "ls" } as const;
  const turns = [
    { text: "a", toolCalls: [shell, shell], usage },
    { text: "b", toolCalls: [shell], usage },
    { text: "c", usage },
  ];
  assert.deepEqual(
    [0, 2, 3].map((results) => turnAfter({ turns }, results).text),
    ["a", "b", "c"],
  );
  assert.match(turnAfter({ turns: turns.slice(0, 1) }, 7).text ?? "", /nothing left/);
  assert.equal(turnAfter({ turns: turns.slice(0, 1), endless: true }, 7).text, "a");
  assert.deepEqual(totalUsage(turns), { input: 30, cachedInput: 3, cacheCreation: 0, output: 6, reasoning: 0 });
});
