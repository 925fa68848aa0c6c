import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import { toJsonText } from "../../results/json-text.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { CliAgent, CliEnd, CliInvocation, CliRequest, CliVerdict } from "./cli-agent.ts";
import { brokeOff, endOfStream, saidFailed } from "./exit-verdict.ts";
import { homeFile, systemPromptFiles, systemPromptPath } from "./home-file.ts";
import { assertModelFor, modelAddress, serviceCredentials, serviceVariables } from "./model-address.ts";
import { createPiParser, piTools } from "./pi-stream.ts";
import { toolRules } from "./tool-table.ts";

type PiConfig = Extract<AgentConfig, { readonly type: "pi" }>;

/** formats.md 10.7. */
export const pi: CliAgent<PiConfig> = {
  type: "pi",
  kit: {
    name: "pi",
    program: "pi",
    npmPackage: "@earendil-works/pi-coding-agent",
    version: "1.6.0",
    entry: "@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    runtime: "node",
  },
  variables: serviceVariables,
  credentials: serviceCredentials,
  invoke,
  createParser: createPiParser,
  judge,
};

function invoke(request: CliRequest<PiConfig>): CliInvocation {
  const { config, home } = request;
  const rules = toolRules(config, piTools);
  const systemPrompt = systemPromptFiles(config.system_prompt);
  const provider = providerOf(request);
  const args = ["-p", "--mode", "json", "--no-context-files", "--no-approve", "--session-dir", `${home}/.evalbatch/pi-sessions`];
  if (provider.model !== undefined) args.push("--model", provider.model);
  args.push("--thinking", config.thinking_level);
  if (systemPrompt.length > 0) args.push("--append-system-prompt", `${home}/${systemPromptPath}`);
  if (rules.isReadOnly) args.push("--tools", readingTools.join(","));
  if (rules.denied.length > 0) args.push("--exclude-tools", rules.denied.join(","));
  for (const directory of request.pluginDirs) args.push("--skill", directory);
  return {
    args,
    // An argument of its own could be the name of a file, or an option.
    stdin: request.prompt,
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    files: [...systemPrompt, ...provider.files],
    warnings: [...rules.warnings, ...provider.warnings],
  };
}

const readingTools = Object.keys(piTools).filter((name) => !["bash", "write", "edit"].includes(name));

interface Provider {
  readonly model: string | undefined;
  readonly files: readonly FileEntry[];
  readonly warnings: readonly string[];
}

/** What `--model` gets, and the list of models where a service is at another address: with the name of its key's variable, never the key. */
function providerOf({ config, model, env }: CliRequest<PiConfig>): Provider {
  const window = config.context_window ?? undefined;
  const noWindow = window === undefined ? [] : ["agent.context_window has no effect: pi knows the windows of this service's models itself"];
  assertModelFor("pi", model, env);
  if (model === undefined) return { model: undefined, files: [], warnings: noWindow };
  const address = modelAddress(model, env);
  const { provider, baseUrl } = address;
  const name = provider === undefined ? address.model : `${provider}/${address.model}`;
  if (provider === undefined || baseUrl === undefined) return { model: name, files: [], warnings: noWindow };
  if (address.service !== undefined) {
    const file = homeFile(modelsPath, toJsonText({ providers: { [provider]: { baseUrl: versioned(address.service, baseUrl) } } }));
    return { model: name, files: [file], warnings: noWindow };
  }
  const entry = {
    id: address.model,
    ...(window === undefined ? {} : { contextWindow: window }),
    // The level is sent where a task chooses one: many services refuse it for models that do not think.
    ...(["off", "medium"].includes(config.thinking_level) ? {} : { reasoning: true }),
  };
  const apiKey = env.OPENAI_API_KEY === undefined ? "none" : "$OPENAI_API_KEY";
  const custom = { baseUrl, api: "openai-completions", apiKey, models: [entry] };
  return { model: name, files: [homeFile(modelsPath, toJsonText({ providers: { [provider]: custom } }))], warnings: [] };
}

const modelsPath = ".pi/agent/models.json";

function versioned(service: string, baseUrl: string): string {
  return service === "google" ? `${baseUrl}/v1beta` : baseUrl;
}

/** The exit code says nothing: it is 0 after errors of the service too. */
function judge(end: CliEnd): CliVerdict {
  const said = endOfStream(end);
  if (said?.isError === true) return saidFailed(end, said);
  return said !== undefined && end.exitCode === 0 ? { kind: "completed" } : brokeOff(end);
}
