import assert from "node:assert/strict";
import test from "node:test";
import type { CliInvocation, CliRequest } from "../../../../src/agents/cli/cli-agent.ts";
import { type QwenConfig, qwen } from "../../../../src/agents/cli/qwen.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";

function invoke(fields: Readonly<Record<string, unknown>> = {}, request: Partial<CliRequest<QwenConfig>> = {}): CliInvocation {
  const config = agentSchema.parse({ type: "qwen", ...fields });
  assert.ok(config.type === "qwen");
  return qwen.invoke({
    config,
    prompt: "-Do it.",
    model: undefined,
    maxTurns: undefined,
    maxUsd: undefined,
    timeoutMs: 60_000,
    home: "/home/agent",
    workDir: "/workspace",
    pluginDirs: [],
    env: { OPENAI_API_KEY: "sk-canary", OPENAI_BASE_URL: "http://llm:8080/v1" },
    ...request,
  });
}

function json(invocation: CliInvocation, path: string): unknown {
  const file = invocation.files.find((entry) => entry.path === path);
  assert.ok(file?.kind === "file" && file.content instanceof Uint8Array, path);
  return JSON.parse(Buffer.from(file.content).toString("utf8"));
}

test("the prompt goes to stdin, and nothing that calls home or waits for minutes is on", () => {
  const invocation = invoke();
  assert.deepEqual(invocation.args, ["--output-format", "stream-json", "--approval-mode", "auto-edit", "--auth-type", "openai"]);
  assert.equal(invocation.stdin, "-Do it.");
  assert.deepEqual(invocation.env, { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" });
  assert.deepEqual(json(invocation, ".qwen/settings.json"), {
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false },
    permissions: { allow: [], deny: [] },
    model: { generationConfig: { maxRetries: 0 } },
  });
  assert.doesNotMatch(JSON.stringify(invocation.args), /canary/);
  assert.deepEqual(invocation.warnings, []);
});

for (const [mode, approval] of [
  ["default", "default"],
  ["acceptEdits", "auto-edit"],
  ["plan", "plan"],
  ["bypassPermissions", "yolo"],
] as const) {
  test(`the permission mode ${mode} is its approval mode ${approval}`, () => {
    const { args } = invoke({ permission_mode: mode });
    assert.equal(args[args.indexOf("--approval-mode") + 1], approval);
  });
}

const options: readonly [string, Readonly<Record<string, unknown>>, Partial<CliRequest<QwenConfig>>, readonly string[]][] = [
  ["model", {}, { model: "qwen3" }, ["--model=qwen3"]],
  ["max_turns", {}, { maxTurns: 4 }, ["--max-session-turns=4"]],
  ["system_prompt", { system_prompt: "-Be\nbrief." }, {}, ["--append-system-prompt=-Be\nbrief."]],
];
for (const [name, fields, request, expected] of options) {
  test(`${name} becomes an argument`, () => {
    const { args } = invoke(fields, request);
    for (const argument of expected) assert.ok(args.includes(argument), argument);
  });
}

test("tools that are allowed or not are rules of its settings, by its own names", () => {
  const fields = {
    allowed_tools: ["Bash(git log, -1)", "Read", "mcp__a__b"],
    disallowed_tools: ["WebFetch", " Task ", "run_shell_command"],
  };
  const settings = JSON.stringify(json(invoke(fields), ".qwen/settings.json"));
  assert.match(settings, /"allow":\["run_shell_command\(git log, -1\)","read_file","mcp__a__b"\]/);
  assert.match(settings, /"deny":\["web_fetch","agent","run_shell_command"\]/);
});

test("whoever may write files may edit them, since commands that write are refused otherwise", () => {
  const allowed = (allowed_tools: readonly string[]) => JSON.stringify(json(invoke({ allowed_tools }), ".qwen/settings.json"));
  assert.match(allowed(["Write"]), /"allow":\["write_file","edit"\]/);
  assert.match(allowed(["Edit", "Write"]), /"allow":\["edit","write_file"\]/);
  assert.match(allowed(["Read"]), /"allow":\["read_file"\]/);
});

test("a system prompt that is no argument any more is refused", () => {
  assert.equal(invoke({ system_prompt: "é".repeat(60_000) }).args.length, 7);
  assert.throws(() => invoke({ system_prompt: "é".repeat(60_001) }), /120002 bytes/);
});

test("the context window is a setting", () => {
  const settings = json(invoke({ context_window: 4096 }), ".qwen/settings.json");
  assert.match(JSON.stringify(settings), /"contextWindowSize":4096/);
});

test("a plugin's skills and a skill itself are both found", () => {
  const invocation = invoke({}, { pluginDirs: ["/p/tools"] });
  const links = invocation.files.flatMap((file) => (file.kind === "symlink" ? [[file.path, file.target]] : []));
  assert.deepEqual(links, [
    [".qwen/skills/tools", "/p/tools"],
    [".qwen/extensions/tools/skills", "/p/tools/skills"],
  ]);
  assert.deepEqual(json(invocation, ".qwen/extensions/tools/qwen-extension.json"), { name: "tools", version: "1.0.0" });
});

function callOf(name: string, input: unknown) {
  const content = [{ type: "tool_use", id: "c1", name, input }];
  const message = { id: "m", model: "q", content, usage: { input_tokens: 5, output_tokens: 1 } };
  const call = qwen.createParser().push(JSON.stringify({ type: "assistant", message }))[0];
  assert.ok(call?.kind === "tool call");
  return call;
}

for (const [native, common] of [
  ["run_shell_command", "Bash"],
  ["write_file", "Write"],
  ["edit", "Edit"],
  ["read_file", "Read"],
  ["grep_search", "Grep"],
  ["glob", "Glob"],
  ["list_directory", "LS"],
  ["skill", "Skill"],
  ["mcp__server__tool", "mcp__server__tool"],
  ["constructor", "constructor"],
] as const) {
  test(`its tool ${native} is called ${common}`, () => {
    const call = callOf(native, { a: 1 });
    assert.deepEqual([call.tool, call.nativeTool, call.parameters], [common, native, { a: 1 }]);
  });
}

test("a file is named as with other agents, whatever the parameter was called", () => {
  assert.deepEqual(callOf("read_file", { absolute_path: "/a", limit: 2 }).parameters, { file_path: "/a", limit: 2 });
});

test("a call of the model whose usage is not told counts when its tools have answered", () => {
  const parser = qwen.createParser();
  const use = { type: "tool_use", id: "c", name: "glob", input: {} };
  parser.push(
    JSON.stringify({ type: "assistant", message: { id: "m", model: "q", content: [use], usage: { input_tokens: 0, output_tokens: 0 } } }),
  );
  const answer = parser.push(
    JSON.stringify({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "c", content: "x" }] } }),
  );
  assert.deepEqual(
    answer.map((event) => event.kind),
    ["model call", "tool result"],
  );
});
