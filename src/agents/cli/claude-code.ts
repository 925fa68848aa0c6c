import { posix } from "node:path";
import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { CallUsage } from "../agent-event.ts";
import type { ClaudeDialect } from "./claude-dialect.ts";
import { claudeLikeParser } from "./claude-like-stream.ts";
import { claudeLikeVerdict } from "./claude-like-verdict.ts";
import { sdkFlags } from "./claude-options.ts";
import { claudeCredentials, claudeRoute, claudeVariables } from "./claude-route.ts";
import type { CliAgent, CliInvocation, CliRequest } from "./cli-agent.ts";
import { homeFile, homeJson, ownDir } from "./home-files.ts";
import { countAt, flagAt, objectAt, type StreamObject, textAt } from "./stream-line.ts";

export type ClaudeCodeConfig = Extract<AgentConfig, { type: "claude-code" }>;

/** Tries of one call of the model after the first: those of the harness come on top, and a stall must not eat the task's time. */
const maxRetries = 2;

/** Claude Code (formats.md 10.3). */
export const claudeCode: CliAgent<ClaudeCodeConfig> = {
  type: "claude-code",
  kit: {
    name: "claude-code",
    program: "claude",
    npmPackage: "@anthropic-ai/claude-code",
    version: "2.1.332",
    entry: {
      "linux-x64": "@anthropic-ai/claude-code-linux-x64/claude",
      "linux-arm64": "@anthropic-ai/claude-code-linux-arm64/claude",
      "darwin-x64": "@anthropic-ai/claude-code-darwin-x64/claude",
      "darwin-arm64": "@anthropic-ai/claude-code-darwin-arm64/claude",
    },
    runtime: "native",
  },
  variables: claudeVariables,
  credentials: claudeCredentials,
  native: { maxTurns: true, maxUsd: true },
  invoke,
  createParser: () => claudeLikeParser(dialect),
  judge: claudeLikeVerdict,
};

function invoke(request: CliRequest<ClaudeCodeConfig>): CliInvocation {
  const { config, maxTurns, maxUsd } = request;
  const route = claudeRoute(request.env, request.model);
  const sdk = sdkFlags(config.sdk_options);
  const system = systemPrompt(request);
  const settings = settingsOf(request);
  return {
    args: [
      ...["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"],
      ...["--permission-mode", config.permission_mode],
      `--setting-sources=${(config.setting_sources ?? ["project"]).join(",")}`,
      ...(route.model === undefined ? [] : [`--model=${route.model}`]),
      ...(maxTurns === undefined ? [] : [`--max-turns=${maxTurns}`]),
      ...(maxUsd === undefined ? [] : [`--max-budget-usd=${maxUsd}`]),
      ...toolList("--allowedTools", config.allowed_tools ?? []),
      // It would hide tools until they are searched for, which no other agent does.
      ...toolList("--disallowedTools", [...new Set([...(config.disallowed_tools ?? []), "ToolSearch"])]),
      ...request.pluginDirs.map((directory) => `--plugin-dir=${directory}`),
      ...system.args,
      ...settings.args,
      ...sdk.args,
    ],
    stdin: request.prompt,
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
      // Without it root may not bypass permissions; it is told where the program may do as it likes.
      ...(config.permission_mode === "bypassPermissions" ? { IS_SANDBOX: "1" } : {}),
      ...route.env,
      ...sdk.env,
    },
    files: [...system.files, ...settings.files],
    warnings: [...(config.context_window === undefined || config.context_window === null ? [] : [noWindow]), ...sdk.warnings],
  };
}

const noWindow = "claude-code has no setting for context_window: the model's own is used";

/** One argument, so that what follows is none of the list's; commas within parentheses belong to a pattern. */
function toolList(option: string, tools: readonly string[]): readonly string[] {
  return tools.length === 0 ? [] : [`${option}=${tools.join(",")}`];
}

interface Part {
  readonly args: readonly string[];
  readonly files: readonly FileEntry[];
}

/** As a file, since an argument may have 128 KiB at most. Versions before 0.10 replaced the prompt, later ones append (formats.md 12). */
function systemPrompt({ config, home }: CliRequest<ClaudeCodeConfig>): Part {
  const prompt = config.system_prompt ?? "";
  if (prompt.trim() === "") return { args: [], files: [] };
  const path = posix.join(ownDir, "system-prompt.md");
  const option = config.system_prompt_mode === "replace" ? "--system-prompt-file" : "--append-system-prompt-file";
  return { args: [`${option}=${posix.join(home, path)}`], files: [homeFile(path, prompt)] };
}

/** Settings may hold keys: they stand in a file that only the agent's user reads. A text is JSON or names a file in the sandbox. */
function settingsOf({ config, home }: CliRequest<ClaudeCodeConfig>): Part {
  const settings = config.claude_settings;
  if (settings === null || settings === "") return { args: [], files: [] };
  const isPath = typeof settings === "string" && !settings.trimStart().startsWith("{");
  if (isPath) return { args: [`--settings=${settings}`], files: [] };
  const path = posix.join(ownDir, "claude-settings.json");
  const file = typeof settings === "string" ? homeFile(path, settings) : homeJson(path, settings);
  return { args: [`--settings=${posix.join(home, path)}`], files: [file] };
}

const dialect: ClaudeDialect = {
  versionKey: "claude_code_version",
  tiesByMessageId: true,
  tool: (name, input) => ({ tool: name, parameters: input }),
  usage: claudeUsage,
  exitCode: (text) => {
    const code = /^Exit code (?<code>\d+)/.exec(text)?.groups?.code;
    return code === undefined ? undefined : Number(code);
  },
  isServiceError: (value, message) => flagAt(value, "is_api_error_message") === true || textAt(message, "model") === "<synthetic>",
};

/** Its buckets do not overlap. */
function claudeUsage(usage: StreamObject): CallUsage | undefined {
  const input = countAt(usage, "input_tokens");
  const output = countAt(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  return {
    uncachedInput: input ?? 0,
    cacheCreation: countAt(usage, "cache_creation_input_tokens") ?? 0,
    cacheRead: countAt(usage, "cache_read_input_tokens") ?? 0,
    output: output ?? 0,
    reasoning: countAt(objectAt(usage, "output_tokens_details"), "thinking_tokens") ?? null,
  };
}
