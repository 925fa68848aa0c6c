import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { type ClaudeCodeConfig, claudeCode } from "../../../../src/agents/cli/claude-code.ts";
import type { CliInvocation, CliRequest } from "../../../../src/agents/cli/cli-agent.ts";
import { AgentError } from "../../../../src/errors.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";

function config(fields: Readonly<Record<string, unknown>>): ClaudeCodeConfig {
  const parsed = agentSchema.parse({ type: "claude-code", ...fields });
  assert.ok(parsed.type === "claude-code");
  return parsed;
}

function invoke(fields: Readonly<Record<string, unknown>> = {}, request: Partial<CliRequest<ClaudeCodeConfig>> = {}): CliInvocation {
  return claudeCode.invoke({
    config: config(fields),
    prompt: "-Do it.",
    model: undefined,
    maxTurns: undefined,
    maxUsd: undefined,
    timeoutMs: 60_000,
    home: "/home/agent",
    workDir: "/workspace",
    pluginDirs: [],
    env: { ANTHROPIC_API_KEY: "sk-canary" },
    ...request,
  });
}

function textOf(invocation: CliInvocation, path: string): string {
  const file = invocation.files.find((entry) => entry.path === path);
  assert.ok(file?.kind === "file" && file.content instanceof Uint8Array, path);
  assert.equal(file.mode, 0o600);
  return Buffer.from(file.content).toString("utf8");
}

test("a task without settings gets the whole stream, the project's settings, and its prompt on stdin", () => {
  const { args, stdin, env, files, warnings } = invoke();
  assert.deepEqual(args, [
    ...["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages", "--permission-mode", "acceptEdits"],
    ...["--setting-sources=project", "--disallowedTools=ToolSearch"],
  ]);
  assert.equal(stdin, "-Do it.");
  assert.deepEqual(env, { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_MAX_RETRIES: "2" });
  assert.deepEqual([files, warnings], [[], []]);
});

const options: readonly [string, Readonly<Record<string, unknown>>, Partial<CliRequest<ClaudeCodeConfig>>, readonly string[]][] = [
  ["model", {}, { model: "claude-sonnet-4-5" }, ["--model=claude-sonnet-4-5"]],
  ["max_turns", {}, { maxTurns: 7 }, ["--max-turns=7"]],
  ["max_usd", {}, { maxUsd: 0.25 }, ["--max-budget-usd=0.25"]],
  ["permission_mode", { permission_mode: "plan" }, {}, ["plan"]],
  ["allowed_tools", { allowed_tools: ["Bash(git log, -1)", "Read"] }, {}, ["--allowedTools=Bash(git log, -1),Read"]],
  ["disallowed_tools", { disallowed_tools: ["WebFetch", "ToolSearch"] }, {}, ["--disallowedTools=WebFetch,ToolSearch"]],
  ["plugins", {}, { pluginDirs: ["/plugins/a", "/plugins/b"] }, ["--plugin-dir=/plugins/a", "--plugin-dir=/plugins/b"]],
  ["setting_sources", { setting_sources: ["user", "local"] }, {}, ["--setting-sources=user,local"]],
  ["no setting_sources", { setting_sources: [] }, {}, ["--setting-sources="]],
  ["a path in claude_settings", { claude_settings: "conf/settings.json" }, {}, ["--settings=conf/settings.json"]],
  ["betas", { sdk_options: { betas: ["a", "b"] } }, {}, ["--betas=a,b"]],
  ["effort", { sdk_options: { effort: "high" } }, {}, ["--effort=high"]],
  ["fallback_model", { sdk_options: { fallback_model: "haiku" } }, {}, ["--fallback-model=haiku"]],
  ["forward_subagent_text", { sdk_options: { forward_subagent_text: true } }, {}, ["--forward-subagent-text"]],
  ["include_hook_events", { sdk_options: { include_hook_events: true } }, {}, ["--include-hook-events"]],
  ["strict_mcp_config", { sdk_options: { strict_mcp_config: true } }, {}, ["--strict-mcp-config"]],
  ["max_thinking_tokens", { sdk_options: { max_thinking_tokens: 2048 } }, {}, ["--max-thinking-tokens=2048"]],
  [
    "thinking",
    { sdk_options: { thinking: { type: "adaptive", display: "summarized" } } },
    {},
    ["--thinking=adaptive", "--thinking-display=summarized"],
  ],
  ["a thinking budget", { sdk_options: { thinking: { type: "enabled", budget_tokens: 99 } } }, {}, ["--max-thinking-tokens=99"]],
  ["output_format", { sdk_options: { output_format: { type: "json_schema", schema: { a: 1 } } } }, {}, ['--json-schema={"a":1}']],
];

for (const [name, fields, request, expected] of options) {
  test(`${name} becomes an argument`, () => {
    const { args } = invoke(fields, request);
    for (const argument of expected) assert.ok(args.includes(argument), `${argument} in ${args.join(" ")}`);
  });
}

test("an option that is off or null is left away", () => {
  const plain = invoke().args;
  assert.deepEqual(invoke({ sdk_options: { strict_mcp_config: false, effort: null } }).args, plain);
});

test("two options of the SDK are variables of the program", () => {
  const { env } = invoke({ sdk_options: { client_app: "x/1", enable_file_checkpointing: true } });
  assert.equal(env.CLAUDE_AGENT_SDK_CLIENT_APP, "x/1");
  assert.equal(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING, "true");
});

test("what only steers the SDK is warned of", () => {
  assert.equal(invoke({ sdk_options: { max_buffer_size: 5, load_timeout_ms: 5 } }).warnings.length, 2);
  assert.match(invoke({ context_window: 5 }).warnings.join(), /context_window/);
});

const refused: readonly Readonly<Record<string, unknown>>[] = [
  ...[{ user: "nobody" }, { verbatim_prompts: true }, { resume_session_at: "x" }, { resume_drops_turn: true }, { thinking: 7 }],
  ...[{ output_format: {} }, { effort: {} }, { strict_mcp_config: "yes" }, { betas: [{}] }, { thinking: { type: "enabled" } }],
];
for (const sdk_options of refused) {
  test(`${JSON.stringify(sdk_options)} is refused with a reason`, () => {
    assert.throws(
      () => invoke({ sdk_options }),
      (error) => error instanceof AgentError && error.code === "agent_config_error" && /sdk_options/.test(error.message),
    );
  });
}

test("bypassed permissions work for root too", () => {
  assert.equal(invoke({ permission_mode: "bypassPermissions" }).env.IS_SANDBOX, "1");
});

for (const [mode, option] of [
  [undefined, "--append-system-prompt-file"],
  ["append", "--append-system-prompt-file"],
  ["replace", "--system-prompt-file"],
] as const) {
  test(`a system prompt with the mode ${mode ?? "left out"} is given as a file by ${option}`, () => {
    const invocation = invoke({ system_prompt: "Ünique\n", ...(mode === undefined ? {} : { system_prompt_mode: mode }) });
    assert.ok(invocation.args.includes(`${option}=/home/agent/.evalbatch-agent/system-prompt.md`));
    assert.equal(textOf(invocation, ".evalbatch-agent/system-prompt.md"), "Ünique\n");
  });
}

test("a blank system prompt is none", () => {
  assert.deepEqual(invoke({ system_prompt: " \n" }).files, []);
});

for (const claude_settings of [{ env: { TOKEN: "canary" } }, '{"env":{"TOKEN":"canary"}}']) {
  test(`settings as ${typeof claude_settings} stand in a file and not among the arguments`, () => {
    const invocation = invoke({ claude_settings });
    assert.ok(invocation.args.includes("--settings=/home/agent/.evalbatch-agent/claude-settings.json"));
    assert.deepEqual(JSON.parse(textOf(invocation, ".evalbatch-agent/claude-settings.json")), { env: { TOKEN: "canary" } });
    assert.doesNotMatch(invocation.args.join(" "), /canary/);
  });
}

const bedrock = { AWS_BEARER_TOKEN_BEDROCK: "canary", AWS_REGION: "eu-west-1", BEDROCK_MODEL: "claude-sonnet-4-5-20250929-v1:0" };

test("nothing but a token of Bedrock means Bedrock, with the region's profile of the model", () => {
  const { args, env } = invoke({}, { env: { ...bedrock, BEDROCK_SMALL_MODEL: "anthropic.claude-haiku-4-5" } });
  assert.ok(args.includes("--model=eu.anthropic.claude-sonnet-4-5-20250929-v1:0"));
  assert.equal(env.CLAUDE_CODE_USE_BEDROCK, "1");
  assert.equal(env.CLAUDE_CODE_ATTRIBUTION_HEADER, "0");
  assert.equal(env.ANTHROPIC_MODEL, "eu.anthropic.claude-sonnet-4-5-20250929-v1:0");
  assert.equal(env.ANTHROPIC_SMALL_FAST_MODEL, "eu.anthropic.claude-haiku-4-5");
  assert.doesNotMatch(args.join(" "), /canary/);
});

for (const [region, model, id] of [
  ["us-east-1", "claude-x", "us.anthropic.claude-x"],
  ["ap-south-1", "anthropic.claude-x", "apac.anthropic.claude-x"],
  ["sa-east-1", "claude-x", "global.anthropic.claude-x"],
  ["us-east-1", "global.anthropic.claude-x", "global.anthropic.claude-x"],
  ["us-east-1", "arn:aws:bedrock:x", "arn:aws:bedrock:x"],
] as const) {
  test(`on Bedrock in ${region} the model ${model} is ${id}`, () => {
    assert.ok(invoke({}, { model, env: { ...bedrock, AWS_REGION: region } }).args.includes(`--model=${id}`));
  });
}

test("Bedrock is used where it is asked for, and not beside another key", () => {
  const both = { ...bedrock, ANTHROPIC_API_KEY: "sk" };
  assert.equal(invoke({}, { env: both }).env.CLAUDE_CODE_USE_BEDROCK, undefined);
  assert.equal(invoke({}, { env: { ...both, API_BACKEND: "bedrock" } }).env.CLAUDE_CODE_USE_BEDROCK, "1");
  assert.equal(invoke({}, { env: { ...both, CLAUDE_CODE_USE_BEDROCK: "1" } }).env.CLAUDE_CODE_USE_BEDROCK, "1");
  assert.equal(
    invoke({}, { env: { ...both, CLAUDE_CODE_USE_BEDROCK: "1", API_BACKEND: "direct" } }).env.CLAUDE_CODE_ATTRIBUTION_HEADER,
    undefined,
  );
});

test("Bedrock without a region is an error that says what is missing", () => {
  assert.throws(() => invoke({}, { env: { API_BACKEND: "bedrock", AWS_BEARER_TOKEN_BEDROCK: "x" } }), /AWS_REGION, BEDROCK_MODEL/);
});

test("no key is among the arguments or in a file", () => {
  const invocation = invoke({ system_prompt: "x", claude_settings: {} }, { model: "m", maxTurns: 1 });
  assert.doesNotMatch(JSON.stringify(invocation.args), /canary/);
  for (const file of invocation.files) assert.doesNotMatch(textOf(invocation, file.path), /canary/);
});

test("what a sub-agent does is told of with the call that started it, and costs no call of the agent's own", () => {
  const path = join(import.meta.dirname, "../../../fixtures/agents/streams/claude.subagent.jsonl");
  const parser = claudeCode.createParser();
  const events = readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : parser.push(line)));
  const own = events.find((event) => event.kind === "tool call" && event.tool === "Agent");
  assert.ok(own?.kind === "tool call");
  const below = events.filter((event) => event.parentToolCallId === own.id);
  assert.deepEqual(
    below.map((event) => event.kind),
    ["tool call", "tool result"],
  );
  assert.equal(events.filter((event) => event.kind === "model call").length, 2);
  // Two calls of 100 of its own, two of 30 of the sub-agent.
  const end = events.findLast((event) => event.kind === "end");
  assert.deepEqual(end?.usage, { uncachedInput: 260, cacheCreation: 28, cacheRead: 0, output: 40, reasoning: 0 });
});
