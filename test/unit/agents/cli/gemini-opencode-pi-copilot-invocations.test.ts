import assert from "node:assert/strict";
import test from "node:test";
import type { CliInvocation, CliRequest } from "../../../../src/agents/cli/cli-agent.ts";
import { copilot } from "../../../../src/agents/cli/copilot.ts";
import { antigravity, gemini } from "../../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../../src/agents/cli/opencode.ts";
import { pi } from "../../../../src/agents/cli/pi.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";

type Fields = Readonly<Record<string, unknown>>;
type Request = Partial<Omit<CliRequest, "config">>;
type Type = "gemini" | "opencode" | "pi" | "copilot";

const base = {
  prompt: "-Do it.",
  model: undefined,
  maxTurns: undefined,
  maxUsd: undefined,
  timeoutMs: 60_000,
  home: "/home/agent",
  workDir: "/workspace",
  pluginDirs: [],
};
const keys = {
  gemini: { GEMINI_API_KEY: "sk-canary", GOOGLE_GEMINI_BASE_URL: "http://llm:8080" },
  opencode: { OPENAI_API_KEY: "sk-canary", OPENAI_BASE_URL: "http://llm:8080/v1/" },
  pi: { OPENAI_API_KEY: "sk-canary", OPENAI_BASE_URL: "http://llm:8080/v1/" },
  copilot: { COPILOT_PROVIDER_BASE_URL: "http://llm:8080/v1", COPILOT_PROVIDER_API_KEY: "sk-canary" },
};

function invoke(type: Type, fields: Fields = {}, request: Request = {}): CliInvocation {
  const config = agentSchema.parse({ type, ...fields });
  // Without a model there is no address of one's own.
  const elsewhere = config.model === null && (type === "opencode" || type === "pi") ? { OPENAI_API_KEY: "sk-canary" } : keys[type];
  const full = { ...base, model: config.model ?? undefined, env: elsewhere, ...request };
  switch (config.type) {
    case "gemini":
      return gemini.invoke({ ...full, config });
    case "opencode":
      return opencode.invoke({ ...full, config });
    case "pi":
      return pi.invoke({ ...full, config });
    case "copilot":
      return copilot.invoke({ ...full, config });
  }
  throw new TypeError(`no agent of type ${config.type}`);
}

function textOf(invocation: CliInvocation, path: string): string {
  const file = invocation.files.find((entry) => entry.path === path);
  assert.ok(file?.kind === "file" && file.content instanceof Uint8Array, path);
  return Buffer.from(file.content).toString("utf8");
}

const geminiSettings = (invocation: CliInvocation): unknown => JSON.parse(textOf(invocation, ".gemini/settings.json"));
const opencodeConfig = (invocation: CliInvocation): unknown => JSON.parse(invocation.env.OPENCODE_CONFIG_CONTENT ?? "");
const after = (args: readonly string[], option: string): string | undefined => args[args.indexOf(option) + 1];
const hasWarning = (invocation: CliInvocation, words: RegExp): boolean => invocation.warnings.some((warning) => words.test(warning));

const types: readonly Type[] = ["gemini", "opencode", "pi", "copilot"];
const everything = {
  model: "fake/some-model",
  system_prompt: "Be kind.",
  disallowed_tools: ["WebFetch"],
  context_window: 50_000,
};

for (const type of types) {
  test(`no key of ${type} stands in its arguments, its files or the variables that are set for it`, () => {
    const invocation = invoke(type, everything, { pluginDirs: ["/plugins/a"] });
    assert.doesNotMatch(JSON.stringify([invocation.args, invocation.env, invocation.warnings]), /canary/);
    for (const { path, kind } of invocation.files) if (kind === "file") assert.doesNotMatch(textOf(invocation, path), /canary/);
  });

  test(`a part of a tool cannot be denied to ${type}`, () => {
    assert.throws(() => invoke(type, { disallowed_tools: ["Bash(rm:*)"] }), { code: "agent_config_error", message: /Bash\(rm:\*\)/ });
  });

  test(`a part of a tool that ${type} is allowed is the whole tool, with a warning`, () => {
    assert.ok(hasWarning(invoke(type, { allowed_tools: ["Bash(git:*)"] }), /Bash\(git:\*\)/));
  });

  test(`a blank system prompt of ${type} is none`, () => {
    assert.deepEqual(invoke(type, { system_prompt: " \n" }), invoke(type));
  });

  test(`the kit of ${type} names one version`, () => {
    const { kit } = { gemini, opencode, pi, copilot }[type];
    assert.match(kit.version, /^\d+\.\d+\.\d+$/);
    assert.equal(kit.name, type);
  });
}

test("the prompt of opencode, pi and copilot goes to stdin", () => {
  for (const type of ["opencode", "pi", "copilot"] as const) {
    const { args, stdin } = invoke(type);
    assert.equal(stdin, "-Do it.", type);
    assert.ok(!args.some((arg) => arg.includes("Do it.")), type);
  }
});

test("a prompt of gemini is one argument with its option, and stdin where it is too long for one", () => {
  const short = invoke("gemini");
  assert.equal(short.args.at(-1), "--prompt=-Do it.");
  assert.equal(short.stdin, undefined);
  const prompt = "ä".repeat(70_000);
  const long = invoke("gemini", {}, { prompt });
  assert.equal(long.stdin, prompt);
  assert.ok(!long.args.some((arg) => arg.startsWith("--prompt")));
});

test("gemini starts without questions, updates and statistics, and its calls are tried three times", () => {
  const invocation = invoke("gemini", { model: "gemini-2.5-flash" });
  assert.deepEqual(invocation.args.slice(0, -1), [
    ...["--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust", "--model=gemini-2.5-flash"],
  ]);
  assert.deepEqual(geminiSettings(invocation), {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: "gemini-api-key" } },
    model: { maxSessionTurns: -1 },
    modelConfigs: {
      customOverrides: [
        { match: { isChatModel: true }, modelConfig: { generateContentConfig: { thinkingConfig: { thinkingBudget: 8192 } } } },
      ],
    },
  });
  assert.deepEqual(invocation.warnings, []);
});

test("gemini's model is the task's, that of ANTIGRAVITY_MODEL, or the default", () => {
  const modelOf = (fields: Fields, env: Readonly<Record<string, string>>): string | undefined =>
    invoke("gemini", fields, { env, model: gemini.defaultModel }).args.find((arg) => arg.startsWith("--model="));
  assert.equal(modelOf({ model: "gemini-3-pro-preview" }, { ANTIGRAVITY_MODEL: "other" }), "--model=gemini-3-pro-preview");
  assert.equal(modelOf({}, { ANTIGRAVITY_MODEL: "other" }), "--model=other");
  assert.equal(modelOf({}, {}), "--model=gemini-3.5-flash");
  assert.ok(hasWarning(invoke("gemini", { model: "gemini-3.5-flash" }), /newer model/));
  assert.equal(antigravity.type, "antigravity");
  assert.deepEqual(antigravity.kit, gemini.kit);
});

test("gemini's thinking level is a level from the third generation on, and its turns are limited by itself", () => {
  const settings = JSON.stringify(
    geminiSettings(invoke("gemini", { model: "gemini-3-pro-preview", thinking_level: "low" }, { maxTurns: 7 })),
  );
  assert.match(settings, /"thinkingConfig":\{"thinkingLevel":"LOW"\}/);
  assert.match(settings, /"maxSessionTurns":7/);
});

test("gemini gets skills and a system prompt as extensions, and nothing is put into the workspace", () => {
  const { files } = invoke("gemini", { system_prompt: "Be kind." }, { pluginDirs: ["/plugins/a"] });
  const links = files.flatMap((file) => (file.kind === "symlink" ? [[file.path, file.target]] : []));
  assert.deepEqual(links, [
    [".gemini/extensions/evalbatch-system-prompt/AGENTS.md", "/home/agent/.evalbatch/system-prompt/AGENTS.md"],
    [".gemini/extensions/evalbatch-plugin-1/skills", "/plugins/a/skills"],
    [".gemini/extensions/evalbatch-skills-1/skills", "/plugins/a"],
  ]);
  assert.equal(textOf(invoke("gemini", { system_prompt: "Be kind." }), ".evalbatch/system-prompt/AGENTS.md"), "Be kind.\n");
});

// Of a tool that needs a permission only what is allowed is left; reading is always allowed.
const denials: readonly (readonly [string, Fields, readonly string[]])[] = [
  ["without lists nothing is denied", {}, []],
  ["acceptEdits allows edits", { permission_mode: "acceptEdits", allowed_tools: ["Bash"] }, ["webfetch", "websearch"]],
  [
    "default allows what is allowed",
    { permission_mode: "default", allowed_tools: ["Bash"] },
    ["apply_patch", "edit", "multiedit", "patch", "webfetch", "websearch", "write"],
  ],
  ["bypassPermissions allows all", { permission_mode: "bypassPermissions", allowed_tools: ["Bash"] }, []],
  ["plan is read-only", { permission_mode: "plan" }, ["apply_patch", "bash", "edit", "multiedit", "patch", "write"]],
  [
    "what is denied is denied in each mode",
    { permission_mode: "bypassPermissions", disallowed_tools: ["Bash", "my_tool"] },
    ["bash", "my_tool"],
  ],
  ["the agent's own names are names too", { disallowed_tools: ["webfetch"] }, ["webfetch"]],
];
for (const [name, fields, denied] of denials) {
  test(`of tools: ${name}`, () => {
    const { permission } = JSON.parse(invoke("opencode", fields).env.OPENCODE_CONFIG_CONTENT ?? "");
    const names = Object.keys(permission).filter((tool) => permission[tool] === "deny");
    assert.deepEqual(names.sort(), denied);
    assert.equal(permission["*"], "allow");
  });
}

test("tools are denied to each agent by its own names", () => {
  const fields = { disallowed_tools: ["Bash", "Write"] };
  assert.match(
    JSON.stringify(geminiSettings(invoke("gemini", fields))),
    /"exclude":\["create_file","run_command","run_shell_command","write_file"\]/,
  );
  assert.equal(after(invoke("pi", fields).args, "--exclude-tools"), "bash,write");
  assert.ok(invoke("copilot", fields).args.includes("--excluded-tools=apply_patch,bash,create"));
});

test("plan mode is the program's own where it has one", () => {
  assert.equal(after(invoke("opencode", { permission_mode: "plan" }).args, "--agent"), "plan");
  assert.ok(invoke("copilot", { permission_mode: "plan" }).args.includes("--plan"));
  assert.equal(after(invoke("pi", { permission_mode: "plan" }).args, "--tools"), "read,grep,find,ls");
});

test("opencode gets the fields of its own", () => {
  const { args } = invoke("opencode", { model: "openai/gpt-5", variant: "high" });
  assert.deepEqual(args, [
    ...["run", "--format", "json", "--dir", "/workspace", "--title", "task", "--model=openai/gpt-5", "--auto", "--pure", "--variant=high"],
  ]);
  assert.ok(!invoke("opencode", { pure: false }).args.includes("--pure"));
});

test("opencode gets a service of one's own with its key by the name of the variable", () => {
  const config = opencodeConfig(
    invoke("opencode", { model: "fake/some-model", context_window: 50_000, system_prompt: "Be kind." }, { pluginDirs: ["/plugins/a"] }),
  );
  assert.deepEqual(config, {
    share: "disabled",
    autoupdate: false,
    permission: { "*": "allow" },
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        name: "fake",
        options: { baseURL: "http://llm:8080/v1", apiKey: "{env:OPENAI_API_KEY}" },
        models: { "some-model": { limit: { context: 50_000, output: 32_000 } } },
      },
    },
    instructions: ["/home/agent/.evalbatch/system-prompt/AGENTS.md"],
    skills: { paths: ["/plugins/a"] },
  });
});

// Addresses of known services, as each program wants them.
const addresses: readonly (readonly [model: string, env: Readonly<Record<string, string>>, opencode: unknown, pi: unknown])[] = [
  [
    "anthropic/claude-x",
    { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://llm/v1/" },
    { anthropic: { options: { baseURL: "http://llm/v1" }, models: { "claude-x": {} } } },
    { anthropic: { baseUrl: "http://llm" } },
  ],
  [
    "gemini-x",
    { GEMINI_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: "http://llm" },
    { google: { options: { baseURL: "http://llm/v1beta", apiKey: "{env:GEMINI_API_KEY}" }, models: { "gemini-x": {} } } },
    { google: { baseUrl: "http://llm/v1beta" } },
  ],
  ["openrouter/a/b", { OPENROUTER_API_KEY: "k", OPENAI_BASE_URL: "http://llm" }, undefined, undefined],
  ["openai/gpt-x", { OPENAI_API_KEY: "k" }, undefined, undefined],
];
for (const [model, env, forOpencode, forPi] of addresses) {
  test(`the address of ${model} is where each program looks for it`, () => {
    const config = opencodeConfig(invoke("opencode", { model }, { env }));
    assert.deepEqual(config instanceof Object && "provider" in config ? config.provider : undefined, forOpencode);
    const { files } = invoke("pi", { model }, { env });
    const models = files.length === 0 ? undefined : JSON.parse(textOf(invoke("pi", { model }, { env }), ".pi/agent/models.json"));
    assert.deepEqual(models?.providers, forPi);
  });
}

test("pi gets its level, its prompt as a file, its skills, and a service of one's own with its key by the name of the variable", () => {
  const fields = { model: "some-model", thinking_level: "high", system_prompt: "Be kind.", context_window: 50_000 };
  const invocation = invoke("pi", fields, { pluginDirs: ["/plugins/a", "/plugins/b"] });
  assert.deepEqual(invocation.args, [
    ...["-p", "--mode", "json", "--no-context-files", "--no-approve", "--session-dir", "/home/agent/.evalbatch/pi-sessions"],
    ...["--model", "evalbatch/some-model", "--thinking", "high"],
    ...["--append-system-prompt", "/home/agent/.evalbatch/system-prompt/AGENTS.md", "--skill", "/plugins/a", "--skill", "/plugins/b"],
  ]);
  assert.deepEqual(JSON.parse(textOf(invocation, ".pi/agent/models.json")), {
    providers: {
      evalbatch: {
        baseUrl: "http://llm:8080/v1",
        api: "openai-completions",
        apiKey: "$OPENAI_API_KEY",
        models: [{ id: "some-model", contextWindow: 50_000, reasoning: true }],
      },
    },
  });
  assert.deepEqual(invocation.env, { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" });
});

test("copilot with a service of one's own talks to nothing else, and keeps its keys from commands", () => {
  const invocation = invoke("copilot", { model: "some-model", context_window: 50_000 });
  assert.deepEqual(invocation.env, {
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_MODEL: "some-model",
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "50000",
  });
  assert.ok(invocation.args.some((arg) => /^--secret-env-vars=.*COPILOT_PROVIDER_API_KEY/.test(arg)));
  assert.equal(invocation.afterwards, ".copilot/session-state/*/events.jsonl");
  const hosted = invoke("copilot", { context_window: 50_000 }, { env: { COPILOT_GITHUB_TOKEN: "sk-canary" } });
  assert.deepEqual(hosted.env, { COPILOT_AUTO_UPDATE: "false" });
  assert.ok(hasWarning(hosted, /context_window/));
});

test("of GitHub's tokens copilot gets the one that is meant for it alone", () => {
  assert.ok(copilot.variables.includes("COPILOT_GITHUB_TOKEN"));
  for (const name of ["GITHUB_TOKEN", "GH_TOKEN"]) assert.ok(!copilot.variables.includes(name));
});

test("copilot gets plugins as they are and their skills in plugins of ours, and a system prompt as the user's instructions", () => {
  const invocation = invoke("copilot", { system_prompt: "Be kind." }, { pluginDirs: ["/plugins/a"] });
  assert.deepEqual(
    invocation.args.filter((arg) => arg.startsWith("--plugin-dir=")),
    [
      "--plugin-dir=/plugins/a",
      "--plugin-dir=/home/agent/.evalbatch/copilot-plugins/evalbatch-plugin-1",
      "--plugin-dir=/home/agent/.evalbatch/copilot-plugins/evalbatch-skills-1",
    ],
  );
  assert.equal(textOf(invocation, ".copilot/copilot-instructions.md"), "Be kind.\n");
});

test("gemini knows the windows of its models itself", () => {
  assert.ok(hasWarning(invoke("gemini", { context_window: 50_000 }), /context_window/));
});
