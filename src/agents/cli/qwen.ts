import { AgentError } from "../../errors.ts";
import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { CallUsage } from "../agent-event.ts";
import type { ClaudeDialect } from "./claude-dialect.ts";
import { claudeLikeParser } from "./claude-like-stream.ts";
import { claudeLikeVerdict } from "./claude-like-verdict.ts";
import type { CliAgent, CliEnd, CliInvocation, CliRequest, CliVerdict } from "./cli-agent.ts";
import { homeJson, namedDirs } from "./home-files.ts";
import { qwenRule, qwenTool } from "./qwen-tools.ts";
import { countAt, type StreamObject } from "./stream-line.ts";

export type QwenConfig = Extract<AgentConfig, { type: "qwen" }>;

const approvalModes = { default: "default", acceptEdits: "auto-edit", plan: "plan", bypassPermissions: "yolo" } as const;

/** Exit codes of its own limits, which it leaves without a last word. */
const turnLimit = 53;
const otherLimit = 55;

const mostPromptBytes = 120_000;

/** Qwen Code, with a service that speaks OpenAI's chat completions. */
export const qwen: CliAgent<QwenConfig> = {
  type: "qwen",
  kit: {
    name: "qwen",
    program: "qwen",
    npmPackage: "@qwen-code/qwen-code",
    version: "0.24.4",
    entry: "@qwen-code/qwen-code/cli-entry.js",
    runtime: "node",
  },
  variables: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"],
  native: { maxTurns: true },
  credentials: ["OPENAI_API_KEY"],
  invoke,
  createParser: () => claudeLikeParser(dialect),
  judge,
};

function invoke(request: CliRequest<QwenConfig>): CliInvocation {
  const { config, maxTurns, model } = request;
  return {
    args: [
      ...["--output-format", "stream-json", "--approval-mode", approvalModes[config.permission_mode], "--auth-type", "openai"],
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(maxTurns === undefined ? [] : [`--max-session-turns=${maxTurns}`]),
      ...systemPrompt(config.system_prompt ?? ""),
    ],
    stdin: request.prompt,
    env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
    files: [homeJson(".qwen/settings.json", settingsOf(config)), ...skillFiles(request.pluginDirs)],
    warnings: [],
  };
}

function settingsOf(config: QwenConfig): unknown {
  const window = config.context_window;
  return {
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false },
    // As an argument a rule would be cut at its commas.
    permissions: { allow: allowedRules(config.allowed_tools ?? []), deny: (config.disallowed_tools ?? []).map(qwenRule) },
    model: {
      generationConfig: {
        // The client beneath tries no more: the program itself does so six times, for about 80 seconds, and that cannot be set.
        maxRetries: 0,
        ...(window === undefined || window === null ? {} : { contextWindowSize: window }),
      },
    },
  };
}

/** Where editing is not allowed it refuses commands that write files, too, even if writing is allowed. */
function allowedRules(tools: readonly string[]): readonly string[] {
  const rules = tools.map(qwenRule);
  return rules.includes("write_file") && !rules.includes("edit") ? [...rules, "edit"] : rules;
}

/** There is no file for it: an argument, of which the kernel takes 128 KiB. */
function systemPrompt(prompt: string): readonly string[] {
  if (prompt.trim() === "") return [];
  const size = Buffer.byteLength(prompt);
  if (size > mostPromptBytes) {
    throw new AgentError("agent_config_error", `agent.system_prompt has ${size} bytes, and qwen takes ${mostPromptBytes} at most`, {
      hint: "put long instructions into QWEN.md in the working directory, through a template source",
    });
  }
  return [`--append-system-prompt=${prompt}`];
}

/** A directory is a skill itself, or a plugin that has a folder of them: which one, only the sandbox knows, and the other link is not followed. */
function skillFiles(pluginDirs: readonly string[]): readonly FileEntry[] {
  return namedDirs(pluginDirs).flatMap(({ name, dir }): FileEntry[] => [
    { kind: "symlink", path: `.qwen/skills/${name}`, target: dir },
    homeJson(`.qwen/extensions/${name}/qwen-extension.json`, { name, version: "1.0.0" }),
    { kind: "symlink", path: `.qwen/extensions/${name}/skills`, target: `${dir}/skills` },
  ]);
}

function judge(end: CliEnd): CliVerdict {
  if (!end.events.some((event) => event.kind === "end")) {
    if (end.exitCode === turnLimit) return { kind: "max turns" };
    if (end.exitCode === otherLimit) {
      const message = `qwen stopped at a limit of its own settings (exit code ${otherLimit})`;
      return { kind: "failed", message, category: "agent_config_error" };
    }
  }
  return claudeLikeVerdict(end);
}

const dialect: ClaudeDialect = {
  versionKey: "qwen_code_version",
  // Each piece is a message of its own; the last one of a call has its usage.
  tiesByMessageId: false,
  tool: qwenTool,
  usage: qwenUsage,
  exitCode: (text) => {
    const code = /^Exit Code: (?<code>\d+)$/m.exec(text)?.groups?.code;
    return code === undefined ? undefined : Number(code);
  },
  isServiceError: (_value, _message, text) => text.startsWith("[API Error: "),
};

/** Its input has what came from the cache in it. */
function qwenUsage(usage: StreamObject): CallUsage | undefined {
  const input = countAt(usage, "input_tokens");
  const output = countAt(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = countAt(usage, "cache_read_input_tokens") ?? 0;
  return { uncachedInput: Math.max(0, (input ?? 0) - cacheRead), cacheCreation: 0, cacheRead, output: output ?? 0, reasoning: null };
}
