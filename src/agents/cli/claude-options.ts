import { AgentError } from "../../errors.ts";
import { isObject } from "../../results/any-object.ts";

/** What options of the Agent SDK (`agent.sdk_options`, formats.md 1.3) are on a command line. */
export interface SdkFlags {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

const nothing: SdkFlags = { args: [], env: {}, warnings: [] };

const args = (...list: string[]): SdkFlags => ({ ...nothing, args: list });

const mappings: Readonly<Record<string, (value: unknown) => SdkFlags>> = {
  betas: (value) => args(`--betas=${listText("betas", value)}`),
  client_app: (value) => ({ ...nothing, env: { CLAUDE_AGENT_SDK_CLIENT_APP: plainText("client_app", value) } }),
  effort: (value) => args(`--effort=${plainText("effort", value)}`),
  enable_file_checkpointing: (value) =>
    isOn("enable_file_checkpointing", value) ? { ...nothing, env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" } } : nothing,
  fallback_model: (value) => args(`--fallback-model=${listText("fallback_model", value)}`),
  forward_subagent_text: (value) => flag("forward_subagent_text", "--forward-subagent-text", value),
  include_hook_events: (value) => flag("include_hook_events", "--include-hook-events", value),
  strict_mcp_config: (value) => flag("strict_mcp_config", "--strict-mcp-config", value),
  max_thinking_tokens: (value) => args(`--max-thinking-tokens=${plainText("max_thinking_tokens", value)}`),
  output_format: outputFormat,
  thinking,
  // They steer how the SDK reads what the program prints, and change nothing of what it does.
  max_buffer_size: () => ({ ...nothing, warnings: ["sdk_options.max_buffer_size has no effect: output is read as it comes"] }),
  load_timeout_ms: () => ({ ...nothing, warnings: ["sdk_options.load_timeout_ms has no effect: no session is loaded"] }),
  resume_session_at: () => refuse("resume_session_at", "every task begins a session of its own"),
  resume_drops_turn: () => refuse("resume_drops_turn", "every task begins a session of its own"),
  user: () => refuse("user", "the sandbox decides as which user an agent runs", "set sandbox.docker.user instead"),
  verbatim_prompts: () => refuse("verbatim_prompts", "the program has no option for it"),
};

/** @throws AgentError `agent_config_error` for an option that cannot be expressed on a command line */
export function sdkFlags(options: Readonly<Record<string, unknown>>): SdkFlags {
  const parts = Object.entries(options).flatMap(([key, value]): SdkFlags[] => {
    if (value === null || value === undefined) return [];
    const mapping = Object.hasOwn(mappings, key) ? mappings[key] : undefined;
    return [mapping === undefined ? refuse(key, "it is unknown") : mapping(value)];
  });
  return {
    args: parts.flatMap((part) => part.args),
    env: Object.assign({}, ...parts.map((part) => part.env)),
    warnings: parts.flatMap((part) => part.warnings),
  };
}

function outputFormat(value: unknown): SdkFlags {
  if (!isObject(value) || value.type !== "json_schema" || !isObject(value.schema)) {
    return refuse("output_format", "it is no {type: json_schema, schema: {…}}");
  }
  return args(`--json-schema=${JSON.stringify(value.schema)}`);
}

function thinking(value: unknown): SdkFlags {
  const type = isObject(value) ? value.type : undefined;
  const display = isObject(value) && typeof value.display === "string" ? [`--thinking-display=${value.display}`] : [];
  if (type === "adaptive" || type === "disabled") return args(`--thinking=${type}`, ...display);
  if (type === "enabled" && isObject(value)) {
    return args(`--max-thinking-tokens=${plainText("thinking.budget_tokens", value.budget_tokens)}`, ...display);
  }
  return refuse("thinking", "its type is none of adaptive, enabled, disabled");
}

function flag(key: string, option: string, value: unknown): SdkFlags {
  return isOn(key, value) ? args(option) : nothing;
}

function isOn(key: string, value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse(key, "it is neither true nor false");
}

function plainText(key: string, value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : refuse(key, "it is no text");
}

function listText(key: string, value: unknown): string {
  return Array.isArray(value) ? value.map((entry) => plainText(key, entry)).join(",") : plainText(key, value);
}

function refuse(key: string, reason: string, hint = "take the option out of the task"): never {
  throw new AgentError("agent_config_error", `agent.sdk_options.${key} cannot be honoured: ${reason}`, { hint });
}
