import { posix } from "node:path";
import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import { toJsonText } from "../../results/json-text.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { CliAgent, CliEnd, CliInvocation, CliRequest, CliVerdict } from "./cli-agent.ts";
import { copilotTools, createCopilotParser } from "./copilot-stream.ts";
import { brokeOff, endOfStream, saidFailed } from "./exit-verdict.ts";
import { homeFile, isBlank } from "./home-file.ts";
import { toolRules } from "./tool-table.ts";

type CopilotConfig = Extract<AgentConfig, { readonly type: "copilot" }>;

/** Variables with keys: kept from the commands that the agent runs. */
const secretVariables = [
  "COPILOT_GITHUB_TOKEN",
  "COPILOT_PROVIDER_API_KEY",
  "COPILOT_PROVIDER_BEARER_TOKEN",
  "COPILOT_PROVIDER_HEADERS",
] as const;

export const copilot: CliAgent<CopilotConfig> = {
  type: "copilot",
  kit: {
    name: "copilot",
    program: "copilot",
    npmPackage: "@github/copilot",
    version: "1.0.102",
    entry: { "linux-x64": "@github/copilot-linux-x64/copilot", "linux-arm64": "@github/copilot-linux-arm64/copilot" },
    runtime: "native",
  },
  variables: [
    ...secretVariables,
    "COPILOT_PROVIDER_BASE_URL",
    "COPILOT_PROVIDER_TYPE",
    "COPILOT_PROVIDER_WIRE_API",
    "COPILOT_PROVIDER_AZURE_API_VERSION",
    "COPILOT_PROVIDER_MODEL_ID",
    "COPILOT_PROVIDER_WIRE_MODEL",
    "COPILOT_MODEL",
    "COPILOT_GH_HOST",
  ],
  credentials: ["COPILOT_GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"],
  invoke,
  createParser: createCopilotParser,
  judge,
};

function invoke(request: CliRequest<CopilotConfig>): CliInvocation {
  const { config, home, env } = request;
  const rules = toolRules(config, copilotTools);
  // The user's instructions, which come next to those of the working directory.
  const systemPrompt = isBlank(config.system_prompt) ? [] : [homeFile(".copilot/copilot-instructions.md", `${config.system_prompt}\n`)];
  const model = config.model ?? env.COPILOT_MODEL ?? request.model;
  const window = config.context_window ?? undefined;
  const isOwnProvider = env.COPILOT_PROVIDER_BASE_URL !== undefined;
  const args = ["--output-format", "json", "--no-color", "--no-ask-user", "--no-remote", "--disable-builtin-mcps"];
  // Without a person to ask, what is not allowed fails; the container is the fence.
  args.push("--allow-all-tools", "--allow-all-paths", "--allow-all-urls", `--secret-env-vars=${secretVariables.join(",")}`);
  if (rules.isReadOnly) args.push("--plan");
  if (rules.denied.length > 0) args.push(`--excluded-tools=${rules.denied.join(",")}`);
  const wrappers = request.pluginDirs.flatMap((directory, index) => [
    ...wrapper(`evalbatch-plugin-${index + 1}`, `${directory}/skills`),
    ...wrapper(`evalbatch-skills-${index + 1}`, directory),
  ]);
  for (const directory of request.pluginDirs) args.push(`--plugin-dir=${directory}`);
  for (const file of wrappers) if (file.kind === "symlink") args.push(`--plugin-dir=${home}/${posix.dirname(file.path)}`);
  return {
    args,
    stdin: request.prompt,
    env: {
      COPILOT_AUTO_UPDATE: "false",
      ...(model === undefined ? {} : { COPILOT_MODEL: model }),
      // No login, no telemetry, no search for updates: all that it talks to is the given service.
      ...(isOwnProvider ? { COPILOT_OFFLINE: "true" } : {}),
      ...(isOwnProvider && window !== undefined ? { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(window) } : {}),
    },
    files: [...systemPrompt, ...wrappers],
    warnings: [
      ...rules.warnings,
      ...(window === undefined || isOwnProvider
        ? []
        : ["agent.context_window has no effect: copilot knows the windows of GitHub's models itself"]),
    ],
    afterwards: ".copilot/session-state/*/events.jsonl",
  };
}

/** A plugin of skills: the directory of a task need not be a plugin itself. Of skills with one name the program takes one. */
function wrapper(name: string, skills: string): readonly FileEntry[] {
  const directory = `.evalbatch/copilot-plugins/${name}`;
  return [
    homeFile(`${directory}/plugin.json`, toJsonText({ name, version: "1.0.0", description: "skills of the task" })),
    { kind: "symlink", path: `${directory}/skills`, target: skills },
  ];
}

function judge(end: CliEnd): CliVerdict {
  const said = endOfStream(end);
  if (said === undefined || said.subtype === "no_result") return brokeOff(end);
  if (said.isError) return saidFailed(end, said);
  return end.exitCode === 0 ? { kind: "completed" } : brokeOff(end);
}
