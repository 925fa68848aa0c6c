import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";
import { freeMapping, ignorePatterns, isMapping, textListOrNull, textOrNull } from "./field-types.ts";
import { layering } from "./layering.ts";
import { allowedSdkOptions, sdkOptionProblem } from "./sdk-options.ts";

// formats.md 1.3. Fields that came after 0.8.2 have no default: they are absent unless set, so that a 0.8.2 reader,
// which refuses unknown keys in `agent_config`, can read what we write.

const localPlugin = z.strictObject({ type: z.literal("local"), path: z.string() });

const baseFields = {
  model: textOrNull,
  permission_mode: z.enum(["default", "acceptEdits", "plan", "bypassPermissions"]).default("acceptEdits"),
  allowed_tools: textListOrNull,
  disallowed_tools: textListOrNull,
  plugins: z.array(localPlugin).nullable().default(null),
  system_prompt: z.string().nullable().default(null).register(layering, { merge: "exclusive", rival: "system_prompt_file" }),
  system_prompt_file: z.string().nullable().default(null).register(layering, { merge: "exclusive", rival: "system_prompt" }),
  ignore_patterns: ignorePatterns,
  context_window: laxInt(z.int().positive()).nullable().optional(),
};

const claudeOptions = freeMapping.superRefine((options, context) => {
  for (const key of Object.keys(options)) {
    const problem = sdkOptionProblem(key);
    if (problem === undefined) continue;
    const message =
      problem === "owned"
        ? `'${key}' is set by the harness and cannot be an SDK option`
        : `'${key}' is no SDK option; allowed: ${allowedSdkOptions.join(", ")}`;
    context.addIssue({ code: "custom", path: [key], message });
  }
});

const untyped = z.strictObject({ type: z.null(), ...baseFields });
const none = z.strictObject({ type: z.literal("none"), ...baseFields });

/** Our own type: any command line; the prompt arrives on stdin and in the file `$EVALBATCH_PROMPT_FILE`. */
const command = z.strictObject({
  type: z.literal("command"),
  command: z.string().refine((text) => text.trim() !== "", { message: "the command must not be empty" }),
  ...baseFields,
});

const claudeCode = z.strictObject({
  type: z.literal("claude-code"),
  ...baseFields,
  system_prompt_mode: z.enum(["append", "replace"]).optional(),
  claude_settings: z.union([z.string(), freeMapping]).nullable().default(null),
  sdk_options: claudeOptions.default(() => ({})),
  setting_sources: z
    .array(z.enum(["user", "project", "local"]))
    .nullable()
    .default(null),
});

const codex = z.strictObject({ type: z.literal("codex"), ...baseFields });

const antigravity = z.strictObject({
  type: z.literal("antigravity"),
  ...baseFields,
  thinking_level: z.enum(["minimal", "low", "medium", "high"]).default("medium"),
});

/** The Gemini CLI under its own name; `antigravity` is upstream's name for the same settings. */
const gemini = z.strictObject({
  type: z.literal("gemini"),
  ...baseFields,
  thinking_level: z.enum(["minimal", "low", "medium", "high"]).default("medium"),
});

const qwen = z.strictObject({ type: z.literal("qwen"), ...baseFields });
const copilot = z.strictObject({ type: z.literal("copilot"), ...baseFields });

const opencode = z.strictObject({
  type: z.literal("opencode"),
  ...baseFields,
  variant: textOrNull,
  pure: laxBool().default(true),
  require_token_telemetry: laxBool().default(true),
});

const pi = z.strictObject({
  type: z.literal("pi"),
  ...baseFields,
  thinking_level: z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]).default("medium"),
});

const delegate = z.strictObject({
  type: z.literal("delegate"),
  ...baseFields,
  sdk_options: freeMapping.default(() => ({})),
  project_id: textOrNull,
  session_id: textOrNull,
  enable_computer_use: laxBool().default(false),
});

const byType = z.discriminatedUnion("type", [
  untyped,
  none,
  command,
  claudeCode,
  codex,
  antigravity,
  gemini,
  opencode,
  pi,
  qwen,
  copilot,
  delegate,
]);

/** Agent types that a task may name. */
export const knownAgentTypes = [
  "claude-code",
  "codex",
  "antigravity",
  "gemini",
  "opencode",
  "pi",
  "qwen",
  "copilot",
  "delegate",
  "command",
  "none",
] as const;

/** `additional_ignore_patterns` is another name of `ignore_patterns` in an agent block. */
export function renameAliases(task: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const agent = task.agent;
  if (!isMapping(agent) || !("additional_ignore_patterns" in agent) || "ignore_patterns" in agent) return task;
  const { additional_ignore_patterns, ...rest } = agent;
  return { ...task, agent: { ...rest, ignore_patterns: additional_ignore_patterns } };
}

function withType(value: unknown): unknown {
  if (!isMapping(value) || "type" in value) return value;
  return { type: null, ...value };
}

/** An `agent` block: its `type` decides which further fields there are; without one only the common fields are allowed. */
export const agentSchema = z.preprocess(
  withType,
  byType.superRefine((agent, context) => {
    if (agent.system_prompt !== null && agent.system_prompt_file !== null) {
      context.addIssue({
        code: "custom",
        path: ["system_prompt_file"],
        message: "system_prompt and system_prompt_file exclude each other",
      });
    }
    if (agent.type !== "claude-code" || agent.system_prompt_mode !== "replace") return;
    // 0.8.2 takes a blank prompt for one; the versions that know the mode do not.
    if ((agent.system_prompt ?? "").trim() === "" && agent.system_prompt_file === null) {
      context.addIssue({
        code: "custom",
        path: ["system_prompt_mode"],
        message: "system_prompt_mode 'replace' needs a system_prompt or system_prompt_file",
      });
    }
  }),
);

export type AgentConfig = z.infer<typeof agentSchema>;
