import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import { toJsonText } from "../../results/json-text.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { CliAgent, CliEnd, CliInvocation, CliRequest, CliVerdict } from "./cli-agent.ts";
import { brokeOff, complaintOf, endOfStream, saidFailed } from "./exit-verdict.ts";
import { createGeminiParser, geminiTools } from "./gemini-stream.ts";
import { homeFile, isBlank, systemPromptFiles } from "./home-file.ts";
import { toolRules } from "./tool-table.ts";

type GeminiConfig = Extract<AgentConfig, { readonly type: "gemini" | "antigravity" }>;

/** formats.md 10.5, as of 0.8.6. */
const defaultModel = "gemini-3.5-flash";
/** Calls of the model at most for one answer; more is for the retries of the whole turn (formats.md 10.1). */
const maxAttempts = 3;
/** Names for which version 0.61 takes its newest model of the kind by itself, whatever settings say. */
const newerFor = new Set(["gemini-3.5-flash", "gemini-3-flash", "gemini-3.1-flash-lite", "flash", "flash-lite", "auto", "pro"]);
/** A single argument may have 128 KiB on Linux; the program cuts off stdin that comes half a second late, so an argument it is. */
const argumentBytes = 120_000;
/** The user's: those of the system are skipped where a directory above them can be written by others, like `/tmp`. */
const settingsPath = ".gemini/settings.json";
/** Statuses of HTTP by the exit code that they become: the program ends with the status, of which 8 bits are left. */
const statusByExitCode = new Map([400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 504, 529].map((status) => [status % 256, status]));
const exitCodes = { auth: 41, input: 42, config: 52, turnLimit: 53, untrusted: 55 };

export const gemini = geminiAgent("gemini");
/** The older name of the same agent (formats.md 1.3). */
export const antigravity = geminiAgent("antigravity");

function geminiAgent(type: GeminiConfig["type"]): CliAgent<GeminiConfig> {
  return {
    type,
    kit: {
      name: "gemini",
      program: "gemini",
      npmPackage: "@google/gemini-cli",
      version: "0.61.0",
      entry: "@google/gemini-cli/bundle/gemini.js",
      runtime: "node",
    },
    variables: [
      "GEMINI_API_KEY",
      "GOOGLE_GEMINI_BASE_URL",
      "ANTIGRAVITY_MODEL",
      "GOOGLE_API_KEY",
      "GOOGLE_GENAI_USE_VERTEXAI",
      "GOOGLE_VERTEX_BASE_URL",
      "GOOGLE_CLOUD_PROJECT",
      "GOOGLE_CLOUD_LOCATION",
    ],
    native: { maxTurns: true },
    credentials: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    defaultModel,
    invoke,
    createParser: createGeminiParser,
    judge,
  };
}

function invoke(request: CliRequest<GeminiConfig>): CliInvocation {
  const { config, prompt, home, env } = request;
  const rules = toolRules(config, geminiTools);
  const model = config.model ?? env.ANTIGRAVITY_MODEL ?? request.model ?? defaultModel;
  const isLong = Buffer.byteLength(prompt) > argumentBytes;
  const hasContextWindow = config.context_window !== null && config.context_window !== undefined;
  const args = ["--output-format", "stream-json", "--approval-mode", "yolo", "--skip-trust", `--model=${model}`];
  return {
    args: isLong ? args : [...args, `--prompt=${prompt}`],
    stdin: isLong ? prompt : undefined,
    env: {
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      // It would start itself a second time only to ask for more memory.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
    files: [
      homeFile(settingsPath, toJsonText(settingsOf(request, model, rules.denied))),
      ...systemPromptFiles(config.system_prompt),
      ...extensionFiles(config.system_prompt, request.pluginDirs, home),
    ],
    warnings: [
      ...rules.warnings,
      ...(newerFor.has(model)
        ? [`the Gemini CLI may call a newer model in the place of '${model}': see which one the tokens are counted for`]
        : []),
      ...(hasContextWindow ? [`agent.context_window has no effect: ${config.type} knows the windows of its models itself`] : []),
    ],
  };
}

function settingsOf({ config, maxTurns, env }: CliRequest<GeminiConfig>, model: string, exclude: readonly string[]): object {
  return {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: env.GOOGLE_GENAI_USE_VERTEXAI === "true" ? "vertex-ai" : "gemini-api-key" } },
    // -1 is none.
    model: { maxSessionTurns: maxTurns ?? -1 },
    modelConfigs: {
      customOverrides: [
        {
          match: { isChatModel: true },
          modelConfig: { generateContentConfig: { thinkingConfig: thinkingOf(model, config.thinking_level) } },
        },
      ],
    },
    ...(exclude.length === 0 ? {} : { tools: { exclude } }),
  };
}

const thinkingBudgets = { minimal: 512, low: 1024, medium: 8192, high: 24_576 };

/** Models before the third generation take a number of tokens, and refuse a level. */
function thinkingOf(model: string, level: GeminiConfig["thinking_level"]): object {
  return /gemini-2/.test(model) ? { thinkingBudget: thinkingBudgets[level] } : { thinkingLevel: level.toUpperCase() };
}

/**
 * Extensions bring what no option does: skills, and a context file next to the workspace's own `GEMINI.md`. A plugin directory holds its
 * skills in `skills/`, or is itself a directory of skills.
 */
function extensionFiles(systemPrompt: string | null, pluginDirs: readonly string[], home: string): readonly FileEntry[] {
  const extension = (name: string, more: object, link: { readonly path: string; readonly target: string }): readonly FileEntry[] => [
    homeFile(`.gemini/extensions/${name}/gemini-extension.json`, toJsonText({ name, version: "1.0.0", ...more })),
    { kind: "symlink", path: `.gemini/extensions/${name}/${link.path}`, target: link.target },
  ];
  const skills = pluginDirs.flatMap((directory, index) => [
    ...extension(`evalbatch-plugin-${index + 1}`, {}, { path: "skills", target: `${directory}/skills` }),
    ...extension(`evalbatch-skills-${index + 1}`, {}, { path: "skills", target: directory }),
  ]);
  if (isBlank(systemPrompt)) return skills;
  const link = { path: "AGENTS.md", target: `${home}/.evalbatch/system-prompt/AGENTS.md` };
  return [...extension("evalbatch-system-prompt", { contextFileName: link.path }, link), ...skills];
}

/** An exit code is the status of HTTP mod 256, or one of `exitCodes`; the last word of the stream goes before it. */
function judge(end: CliEnd): CliVerdict {
  const said = endOfStream(end);
  if (said?.maxTurnsReached === true || (said === undefined && end.exitCode === exitCodes.turnLimit)) return { kind: "max turns" };
  const status = end.exitCode === undefined ? undefined : statusByExitCode.get(end.exitCode);
  if (said?.isError === true) return withStatus(saidFailed(end, said), status);
  if (said !== undefined) return end.exitCode === 0 ? { kind: "completed" } : brokeOff(end);
  const verdict = brokeOff(end);
  if (verdict.kind !== "failed") return verdict;
  const words = complaintOf(end.stderr) ?? `exit code ${end.exitCode}`;
  switch (end.exitCode) {
    case exitCodes.auth:
      return { kind: "failed", message: `authentication failed before the first call of the model: ${words}` };
    case exitCodes.input:
    case exitCodes.config:
    case exitCodes.untrusted:
      return { kind: "failed", message: words, category: "agent_config_error" };
  }
  if (status === undefined) return verdict;
  return withStatus(
    { ...verdict, message: complaintOf(end.stderr) ?? `the service answered with status ${status}`, category: undefined },
    status,
  );
}

function withStatus(verdict: CliVerdict, status: number | undefined): CliVerdict {
  return verdict.kind === "failed" && verdict.apiStatus === undefined ? { ...verdict, apiStatus: status } : verdict;
}
