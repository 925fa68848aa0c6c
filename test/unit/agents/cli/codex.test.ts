import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { CliInvocation, CliRequest } from "../../../../src/agents/cli/cli-agent.ts";
import { type CodexConfig, codex } from "../../../../src/agents/cli/codex.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";

function invoke(fields: Readonly<Record<string, unknown>> = {}, request: Partial<CliRequest<CodexConfig>> = {}): CliInvocation {
  const config = agentSchema.parse({ type: "codex", ...fields });
  assert.ok(config.type === "codex");
  return codex.invoke({
    config,
    prompt: "-Do it.",
    model: undefined,
    maxTurns: undefined,
    maxUsd: undefined,
    timeoutMs: 60_000,
    home: "/home/agent",
    workDir: "/workspace",
    pluginDirs: [],
    env: { OPENAI_API_KEY: "sk-canary" },
    ...request,
  });
}

function toml(invocation: CliInvocation): string {
  const file = invocation.files.find((entry) => entry.path === ".codex/config.toml");
  assert.ok(file?.kind === "file" && file.content instanceof Uint8Array);
  return Buffer.from(file.content).toString("utf8");
}

test("the prompt goes to stdin and everything else into the configuration", () => {
  const invocation = invoke();
  assert.deepEqual(invocation.args, ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-"]);
  assert.equal(invocation.stdin, "-Do it.");
  assert.match(toml(invocation), /^check_for_update_on_startup = false$/m);
  assert.match(toml(invocation), /^\[analytics\]\nenabled = false$/m);
  assert.doesNotMatch(toml(invocation), /model_provider/);
});

test("it does not wait for a network that is not there, and what it says of it is a try", () => {
  assert.match(toml(invoke()), /^unbounded_connection_retries = false$/m);
  const waiting = { type: "error", message: "Reconnecting... waiting for network (Connection failed: error sending request)" };
  const message = "Connection failed: error sending request";
  assert.deepEqual(eventsOf(waiting), [{ kind: "retry", attempt: undefined, status: undefined, message }]);
});

test("its own service gets the key by the one name that it takes it by", () => {
  assert.deepEqual(invoke().env, { CODEX_API_KEY: "sk-canary" });
  assert.deepEqual(invoke({}, { env: { CODEX_API_KEY: "a", OPENAI_API_KEY: "b" } }).env, {});
});

for (const [env, key] of [
  [{ OPENAI_API_KEY: "sk-canary", OPENAI_BASE_URL: "http://llm:8080/v1" }, "OPENAI_API_KEY"],
  [
    { CODEX_API_KEY: "sk-canary", OPENAI_API_KEY: "x", CODEX_BASE_URL: "http://llm:8080/v1", OPENAI_BASE_URL: "http://other" },
    "CODEX_API_KEY",
  ],
] as const) {
  test(`an address makes a provider of its own whose key is read from ${key}`, () => {
    const invocation = invoke({}, { env });
    const text = toml(invocation);
    assert.match(text, /^model_provider = "evalbatch"$/m);
    assert.match(text, /\[model_providers\.evalbatch\]\nname = "evalbatch"\nbase_url = "http:\/\/llm:8080\/v1"\n/);
    assert.match(text, new RegExp(`^env_key = "${key}"$`, "m"));
    assert.match(text, /^request_max_retries = 1\nstream_max_retries = 2$/m);
    assert.doesNotMatch(JSON.stringify(invocation.args) + text, /canary/);
  });
}

test("an API version becomes a parameter of the provider's queries", () => {
  const env = { CODEX_API_KEY: "x", CODEX_BASE_URL: "http://a", CODEX_API_VERSION: "2026-01-01" };
  assert.match(toml(invoke({}, { env })), /\[model_providers\.evalbatch\.query_params\]\napi-version = "2026-01-01"/);
});

test("the model of the task wins over that of the environment", () => {
  const env = { CODEX_API_KEY: "x", CODEX_MODEL: "gpt-5" };
  assert.match(toml(invoke({}, { env })), /^model = "gpt-5"$/m);
  assert.match(toml(invoke({}, { env, model: "gpt-5.5" })), /^model = "gpt-5.5"$/m);
});

test("a system prompt is added to its own as instructions, whatever is in it", () => {
  const text = toml(invoke({ system_prompt: 'a "quote" \\ \n[model_providers.x]\u0007' }));
  assert.match(text, /^developer_instructions = "a \\"quote\\" \\\\ \\u000A\[model_providers\.x\]\\u0007"$/m);
});

test("the context window is set", () => {
  assert.match(toml(invoke({ context_window: 4096 })), /^model_context_window = 4096$/m);
});

test("skills are linked where it looks for them, two of one name beside each other", () => {
  const { files } = invoke({}, { pluginDirs: ["/p/one/skill", "/p/two/skill"] });
  assert.deepEqual(files.slice(1), [
    { kind: "symlink", path: ".agents/skills/skill", target: "/p/one/skill" },
    { kind: "symlink", path: ".agents/skills/skill-2", target: "/p/two/skill" },
  ]);
});

test("what it cannot do is warned of", () => {
  assert.deepEqual(invoke({ permission_mode: "acceptEdits", allowed_tools: [] }).warnings, []);
  assert.equal(invoke({ permission_mode: "plan", allowed_tools: ["Bash"], disallowed_tools: ["Read"] }).warnings.length, 3);
});

const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const thread = "01a22f94-d25b-7ec2-ba76-b5b3df91dac7";

function afterSession(path: string) {
  const parser = codex.createParser();
  for (const line of readFileSync(join(fixtures, "streams/codex.session.jsonl"), "utf8").split("\n")) parser.push(line);
  return parser.end([{ path, text: readFileSync(join(fixtures, "left/codex.rollout.jsonl"), "utf8") }]);
}

test("the session's own file tells the model and what each call used", () => {
  const usage = { cacheCreation: 0, cacheRead: 200, reasoning: 7 };
  assert.deepEqual(afterSession(`.codex/sessions/2026/12/01/rollout-2026-12-01T03-10-12-${thread}.jsonl`), [
    { kind: "session", sessionId: thread, model: "gpt-5", version: "0.171.0" },
    { kind: "model call", messageId: "call-1", model: "gpt-5", usage: { ...usage, uncachedInput: 800, output: 50 } },
    { kind: "model call", messageId: "call-2", model: "gpt-5", usage: { ...usage, uncachedInput: 900, output: 51 } },
  ]);
});

test("the file of another session is none of its business", () => {
  assert.deepEqual(afterSession(".codex/sessions/2026/12/01/rollout-2026-12-01T03-10-12-other.jsonl"), []);
});

function eventsOf(...items: readonly object[]) {
  const parser = codex.createParser();
  return items.flatMap((item) => parser.push(JSON.stringify(item)));
}

test("a change of files is a call of Write or Edit for each of them", () => {
  const item = {
    id: "i1",
    type: "file_change",
    changes: [
      { path: "a.txt", kind: "add" },
      { path: "b.txt", kind: "update" },
    ],
    status: "completed",
  };
  const events = eventsOf({ type: "item.completed", item });
  assert.deepEqual(
    events.map((event) => (event.kind === "tool call" ? [event.tool, event.id, event.parameters.file_path] : event.kind)),
    [["Write", "i1", "a.txt"], "model call", "tool result", ["Edit", "i1.2", "b.txt"], "tool result"],
  );
});

test("tools of servers, sub-agents, searches and plans have common names", () => {
  const events = eventsOf(
    { type: "item.started", item: { id: "1", type: "mcp_tool_call", server: "s", tool: "t", arguments: { a: 1 }, status: "in_progress" } },
    {
      type: "item.completed",
      item: { id: "1", type: "mcp_tool_call", server: "s", tool: "t", error: { message: "no" }, status: "failed" },
    },
    { type: "item.completed", item: { id: "2", type: "web_search", query: "q" } },
    { type: "item.completed", item: { id: "3", type: "collab_tool_call", tool: "spawn_agent", prompt: "p", status: "completed" } },
    { type: "item.started", item: { id: "4", type: "todo_list", items: [{ text: "x", completed: false }] } },
    { type: "item.updated", item: { id: "4", type: "todo_list", items: [{ text: "x", completed: true }] } },
    { type: "item.completed", item: { id: "4", type: "todo_list", items: [{ text: "x", completed: true }] } },
  );
  const calls = events.flatMap((event) => (event.kind === "tool call" ? [[event.tool, event.parameters]] : []));
  assert.deepEqual(calls, [
    ["mcp__s__t", { a: 1 }],
    ["WebSearch", { query: "q" }],
    ["Agent", { prompt: "p" }],
    ["TodoWrite", { todos: [{ content: "x", status: "pending" }] }],
    ["TodoWrite", { todos: [{ content: "x", status: "completed" }] }],
  ]);
  const results = events.flatMap((event) => (event.kind === "tool result" ? [event.status] : []));
  assert.deepEqual(results, ["error", "success", "success", "success", "success"]);
});

test("tools that run at the same time belong to one call of the model", () => {
  const command = (id: string) => ({ id, type: "command_execution", command: "ls", status: "in_progress" });
  const events = eventsOf(
    { type: "item.started", item: command("a") },
    { type: "item.started", item: command("b") },
    { type: "item.completed", item: { ...command("a"), exit_code: 0 } },
    { type: "item.completed", item: { ...command("b"), exit_code: 1 } },
    { type: "item.completed", item: { id: "c", type: "agent_message", text: "Done." } },
    { type: "turn.completed", usage: { input_tokens: 5, cached_input_tokens: 9, output_tokens: 1 } },
  );
  assert.deepEqual(
    events.flatMap((event) => (event.kind === "model call" ? [event.messageId] : [])),
    ["call-1", "call-2"],
  );
  const end = events.at(-1);
  assert.ok(end?.kind === "end");
  assert.deepEqual([end.turns, end.result, end.usage?.uncachedInput], [2, "Done.", 0]);
});
