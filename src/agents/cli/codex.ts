import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { CliAgent, CliEnd, CliInvocation, CliRequest, CliVerdict } from "./cli-agent.ts";
import { rolloutPattern } from "./codex-rollout.ts";
import { codexParser } from "./codex-stream.ts";
import { homeFile, namedDirs } from "./home-files.ts";
import { silentEnd } from "./silent-end.ts";
import { type TomlTable, tomlDocument } from "./toml-text.ts";

export type CodexConfig = Extract<AgentConfig, { type: "codex" }>;

const platformFile = (arch: string, target: string): string => `@openai/codex-${arch}/vendor/${target}/bin/codex`;

/** Codex (formats.md 10.4). */
export const codex: CliAgent<CodexConfig> = {
  type: "codex",
  kit: {
    name: "codex",
    program: "codex",
    npmPackage: "@openai/codex",
    version: "0.171.0",
    entry: {
      "linux-x64": platformFile("linux-x64", "x86_64-unknown-linux-musl"),
      "linux-arm64": platformFile("linux-arm64", "aarch64-unknown-linux-musl"),
      "darwin-x64": platformFile("darwin-x64", "x86_64-apple-darwin"),
      "darwin-arm64": platformFile("darwin-arm64", "aarch64-apple-darwin"),
    },
    runtime: "native",
  },
  variables: ["CODEX_API_KEY", "OPENAI_API_KEY", "CODEX_BASE_URL", "OPENAI_BASE_URL", "CODEX_MODEL", "CODEX_API_VERSION"],
  credentials: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  invoke,
  createParser: codexParser,
  judge,
};

/** Name of the provider in its configuration; those that it brings cannot be changed. */
const provider = "evalbatch";

function invoke(request: CliRequest<CodexConfig>): CliInvocation {
  const { env } = request;
  const key = isGiven(env.CODEX_API_KEY) ? "CODEX_API_KEY" : "OPENAI_API_KEY";
  const baseUrl = [env.CODEX_BASE_URL, env.OPENAI_BASE_URL].find(isGiven);
  return {
    // Full access always: its own sandbox does not work inside of a container, and the task's sandbox is there (formats.md 10.4).
    args: ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-"],
    stdin: request.prompt,
    // Its own service takes the key by this name alone.
    env: baseUrl === undefined && key === "OPENAI_API_KEY" && isGiven(env[key]) ? { CODEX_API_KEY: env[key] } : {},
    files: [homeFile(".codex/config.toml", tomlDocument(configOf(request, baseUrl, key))), ...skillLinks(request.pluginDirs)],
    warnings: warningsOf(request.config),
    afterwards: rolloutPattern,
  };
}

function configOf({ config, model, env }: CliRequest<CodexConfig>, baseUrl: string | undefined, key: string): TomlTable {
  const chosen = model ?? (isGiven(env.CODEX_MODEL) ? env.CODEX_MODEL : undefined);
  const instructions = config.system_prompt ?? "";
  return {
    ...(chosen === undefined ? {} : { model: chosen }),
    ...(baseUrl === undefined ? {} : { model_provider: provider }),
    ...(config.context_window === undefined || config.context_window === null ? {} : { model_context_window: config.context_window }),
    ...(instructions.trim() === "" ? {} : { developer_instructions: instructions }),
    check_for_update_on_startup: false,
    ...(baseUrl === undefined ? {} : { model_providers: { [provider]: providerOf(baseUrl, key, env.CODEX_API_VERSION) } }),
    // The first of them wait for names of the internet where there is none; the last would wait for a service until it can be reached.
    analytics: { enabled: false },
    otel: { exporter: "none", metrics_exporter: "none", trace_exporter: "none" },
    features: { plugins: false, apps: false, unbounded_connection_retries: false },
  };
}

/** The key itself stays in the environment. A call is tried twice and a broken stream begun anew twice: the harness has retries of its own. */
function providerOf(baseUrl: string, key: string, apiVersion: string | undefined): TomlTable {
  return {
    name: provider,
    base_url: baseUrl,
    env_key: key,
    wire_api: "responses",
    request_max_retries: 1,
    stream_max_retries: 2,
    ...(isGiven(apiVersion) ? { query_params: { "api-version": apiVersion } } : {}),
  };
}

/** Skills are found below these links, those of a plugin too. */
function skillLinks(pluginDirs: readonly string[]): readonly FileEntry[] {
  return namedDirs(pluginDirs).map(({ name, dir }) => ({ kind: "symlink", path: `.agents/skills/${name}`, target: dir }));
}

function warningsOf(config: CodexConfig): readonly string[] {
  return [
    ...(config.permission_mode === "plan" ? ["codex has no mode 'plan': it runs with full access"] : []),
    ...((config.allowed_tools ?? []).length === 0 ? [] : ["codex cannot be told allowed_tools: it may use all of its tools"]),
    ...((config.disallowed_tools ?? []).length === 0 ? [] : ["codex cannot be told disallowed_tools: it may use all of its tools"]),
  ];
}

/** Only a failed turn is a failure: `error` items and events also tell of what it overcame. */
function judge(end: CliEnd): CliVerdict {
  const last = end.events.findLast((event) => event.kind === "end");
  if (last === undefined) return silentEnd(end);
  if (!last.isError) return { kind: "completed" };
  return { kind: "failed", message: last.result ?? "the turn failed", apiStatus: last.apiStatus };
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
