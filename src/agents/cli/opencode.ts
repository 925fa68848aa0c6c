import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import type { CliAgent, CliEnd, CliInvocation, CliRequest, CliVerdict } from "./cli-agent.ts";
import { brokeOff, complaintOf, endOfStream } from "./exit-verdict.ts";
import { systemPromptFiles, systemPromptPath } from "./home-file.ts";
import { assertModelFor, type ModelAddress, modelAddress, serviceCredentials, serviceVariables } from "./model-address.ts";
import { createOpencodeParser, opencodeTools } from "./opencode-stream.ts";
import { type ToolRules, toolRules } from "./tool-table.ts";

type OpencodeConfig = Extract<AgentConfig, { readonly type: "opencode" }>;

/** formats.md 10.6. */
export const opencode: CliAgent<OpencodeConfig> = {
  type: "opencode",
  kit: {
    name: "opencode",
    program: "opencode",
    npmPackage: "opencode-ai",
    version: "1.18.33",
    // The build for processors without AVX2 runs on all of them.
    entry: { "linux-x64": "opencode-linux-x64-baseline/bin/opencode", "linux-arm64": "opencode-linux-arm64/bin/opencode" },
    runtime: "native",
  },
  variables: [...serviceVariables, "OPENCODE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  credentials: [...serviceCredentials, "OPENCODE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  invoke,
  createParser: createOpencodeParser,
  judge,
};

function invoke(request: CliRequest<OpencodeConfig>): CliInvocation {
  const { config, model, env, workDir } = request;
  const rules = toolRules(config, opencodeTools);
  assertModelFor("opencode", model, env);
  const address = model === undefined ? undefined : modelAddress(model, env);
  const args = ["run", "--format", "json", "--dir", workDir, "--title", "task"];
  if (address !== undefined) {
    const name = address.provider === undefined ? address.model : `${address.provider}/${address.model}`;
    args.push(`--model=${name}`);
  }
  if (rules.isReadOnly) args.push("--agent", "plan");
  // What is not denied is allowed; questions to a person would end in a refusal.
  args.push("--auto");
  if (config.pure) args.push("--pure");
  if (config.variant !== null) args.push(`--variant=${config.variant}`);
  return {
    args,
    stdin: request.prompt,
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configOf(request, address, rules)),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_TERMINAL_TITLE: "1",
    },
    files: systemPromptFiles(config.system_prompt),
    warnings: [...rules.warnings, ...windowWarning(config, address)],
  };
}

/** Wins over the files of the user and of the working directory. Keys stand in it by the names of their variables. */
function configOf(request: CliRequest<OpencodeConfig>, address: ModelAddress | undefined, rules: ToolRules): object {
  const { config, home, pluginDirs } = request;
  const systemPrompt = systemPromptFiles(config.system_prompt);
  const provider = address === undefined ? undefined : providerOf(request, address);
  return {
    share: "disabled",
    autoupdate: false,
    permission: permissionsOf(rules),
    ...(provider === undefined ? {} : { provider }),
    ...(systemPrompt.length === 0 ? {} : { instructions: [`${home}/${systemPromptPath}`] }),
    ...(pluginDirs.length === 0 ? {} : { skills: { paths: pluginDirs } }),
  };
}

/** Rights by tool; the last one that fits counts. Files are written under one right, whichever tool does it. */
function permissionsOf({ denied }: ToolRules): object {
  const editing = denied.includes("write") || denied.includes("edit");
  return {
    "*": "allow",
    ...Object.fromEntries(denied.map((tool) => [tool, "deny"])),
    ...(editing ? { edit: "deny" } : {}),
  };
}

function providerOf({ config, env }: CliRequest<OpencodeConfig>, address: ModelAddress): object | undefined {
  const { provider, model, service, baseUrl } = address;
  if (provider === undefined) return undefined;
  // It knows only the other name of the variable.
  const key = service === "google" && env.GOOGLE_GENERATIVE_AI_API_KEY === undefined ? { apiKey: "{env:GEMINI_API_KEY}" } : {};
  if (baseUrl === undefined) return service === "google" ? { [provider]: { options: key } } : undefined;
  const window = config.context_window;
  const limit = window === null || window === undefined ? {} : { limit: { context: window, output: Math.min(32_000, window) } };
  const models = { [model]: limit };
  if (service !== undefined) {
    const version = service === "google" ? "/v1beta" : service === "anthropic" ? "/v1" : "";
    return { [provider]: { options: { baseURL: `${baseUrl}${version}`, ...key }, models } };
  }
  const apiKey = env.OPENAI_API_KEY === undefined ? "none" : "{env:OPENAI_API_KEY}";
  return { [provider]: { npm: "@ai-sdk/openai-compatible", name: provider, options: { baseURL: baseUrl, apiKey }, models } };
}

function windowWarning(config: OpencodeConfig, address: ModelAddress | undefined): readonly string[] {
  const isUnused = config.context_window !== null && config.context_window !== undefined && address?.baseUrl === undefined;
  return isUnused ? ["agent.context_window has no effect: opencode knows the windows of this service's models itself"] : [];
}

/**
 * There is no last word of the program's own: the parser makes one of a last step that ended by the model's own will. Without any tokens the
 * turn counts as a crash where the task requires them (formats.md 1.3).
 */
function judge(end: CliEnd, config?: OpencodeConfig): CliVerdict {
  const failure = end.events.findLast((event) => event.kind === "error" && event.final);
  const said = endOfStream(end);
  if (said === undefined || end.exitCode !== 0) {
    if (failure?.kind !== "error") return brokeOff(end);
    return { kind: "failed", message: failure.message, apiStatus: failure.status };
  }
  const hasTokens = end.events.some((event) => event.kind === "model call" && event.usage !== undefined && sumOf(event.usage) > 0);
  if (hasTokens || config?.require_token_telemetry === false) return { kind: "completed" };
  const words = complaintOf(end.stderr);
  const message = `opencode told no tokens of its calls${words === undefined ? "" : `: ${words}`} (agent.require_token_telemetry)`;
  return { kind: "failed", message, category: "agent_crash" };
}

function sumOf(usage: { readonly uncachedInput: number; readonly cacheRead: number; readonly output: number }): number {
  return usage.uncachedInput + usage.cacheRead + usage.output;
}
