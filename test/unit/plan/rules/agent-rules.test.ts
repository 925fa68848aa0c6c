import { type Rule, testRules } from "./rule-table.ts";

const agent = (type: string | null | undefined, more: object = {}) => ({
  agent: { ...(type === undefined ? {} : { type }), ...more },
  ...(type === "none" ? { initial_prompt: undefined } : {}),
});
const claude = (more: object) => agent("claude-code", more);

testRules("1.3", [
  {
    rule: "an agent type is one of the known ones",
    accepted: [
      ...["claude-code", "codex", "antigravity", "opencode", "pi", "delegate", "none"].map((type) => agent(type)),
      agent("command", { command: "x" }),
    ],
    refused: [
      [
        agent("claude"),
        "agent.type: found text 'claude', expected one of none, command, claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate",
      ],
      [
        agent("cursor"),
        "agent.type: found text 'cursor', expected one of none, command, claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate",
      ],
      [
        agent("unknown"),
        "agent.type: found text 'unknown', expected one of none, command, claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate",
      ],
      [{ agent: "codex" }, "agent: found text 'codex', expected a mapping"],
    ],
  },
  {
    rule: "an agent without a type has the common fields",
    accepted: [{ agent: {} }, agent(null, { model: "m" }), { agent: null }],
    refused: [[{ agent: { sdk_options: {} } }, "agent.sdk_options: unknown field 'sdk_options'"]],
  },
  {
    rule: "context_window is above 0",
    accepted: [agent("codex", { context_window: 1 }), agent("codex", { context_window: null })],
    refused: [[agent("codex", { context_window: 0 }), "agent.context_window: found the number 0, expected more than 0"]],
  },
  {
    rule: "permission_mode is one of four words",
    accepted: ["default", "acceptEdits", "plan", "bypassPermissions"].map((permission_mode) => claude({ permission_mode })),
    refused: [
      [
        claude({ permission_mode: "acceptedits" }),
        "agent.permission_mode: found text 'acceptedits', expected one of default, acceptEdits, plan, bypassPermissions",
      ],
    ],
  },
  {
    rule: "allowed_tools and disallowed_tools are lists of texts or null",
    accepted: [claude({ allowed_tools: [], disallowed_tools: null })],
    refused: [
      [claude({ allowed_tools: "Bash" }), "agent.allowed_tools: found text 'Bash', expected a list"],
      [claude({ disallowed_tools: [1] }), "agent.disallowed_tools[0]: found the number 1, expected text"],
    ],
  },
  {
    rule: "plugins are local paths",
    accepted: [claude({ plugins: [{ type: "local", path: "$X" }] })],
    refused: [
      [claude({ plugins: [{ type: "git", path: "x" }] }), "agent.plugins[0].type: found text 'git', expected local"],
      [claude({ plugins: [{ type: "local" }] }), "agent.plugins[0].path: required field 'path' is missing"],
      [claude({ plugins: ["x"] }), "agent.plugins[0]: found text 'x', expected a mapping"],
    ],
  },
  {
    rule: "system_prompt and system_prompt_file exclude each other",
    accepted: [claude({ system_prompt: "", system_prompt_file: null })],
    refused: [
      [
        claude({ system_prompt: "a", system_prompt_file: "b" }),
        "agent.system_prompt_file: found text 'b'; system_prompt and system_prompt_file exclude each other",
      ],
    ],
  },
  {
    rule: "an ignore pattern is not empty and no bare !",
    accepted: [claude({ ignore_patterns: ["*.log", "!.venv"] })],
    refused: [
      [claude({ ignore_patterns: [" "] }), "agent.ignore_patterns[0]: found text ' '; an ignore pattern must not be empty or a bare '!'"],
      [claude({ ignore_patterns: ["!"] }), "agent.ignore_patterns[0]: an ignore pattern must not be empty or a bare '!'"],
    ],
  },
  {
    rule: "additional_ignore_patterns is the same under another name",
    accepted: [claude({ additional_ignore_patterns: ["x"] })],
    refused: [
      [claude({ additional_ignore_patterns: [""] }), "agent.ignore_patterns[0]: an ignore pattern must not be empty or a bare '!'"],
      [
        claude({ additional_ignore_patterns: ["x"], ignore_patterns: [] }),
        "agent.additional_ignore_patterns: unknown field 'additional_ignore_patterns'",
      ],
    ],
  },
  {
    rule: "system_prompt_mode replace needs a system prompt",
    accepted: [
      claude({ system_prompt_mode: "append" }),
      claude({ system_prompt_mode: "replace", system_prompt: "x" }),
      claude({ system_prompt_mode: "replace", system_prompt_file: "x" }),
    ],
    refused: [
      [
        claude({ system_prompt_mode: "replace" }),
        "agent.system_prompt_mode: system_prompt_mode 'replace' needs a system_prompt or system_prompt_file",
      ],
      [
        claude({ system_prompt_mode: "replace", system_prompt: " " }),
        "agent.system_prompt_mode: system_prompt_mode 'replace' needs a system_prompt or system_prompt_file",
      ],
      [claude({ system_prompt_mode: "prepend" }), "agent.system_prompt_mode: found text 'prepend', expected one of append, replace"],
      [agent("codex", { system_prompt_mode: "append" }), "agent.system_prompt_mode: unknown field 'system_prompt_mode'"],
    ],
  },
  {
    rule: "claude_settings is a text or a mapping",
    accepted: [claude({ claude_settings: "{}" }), claude({ claude_settings: { a: 1 } })],
    refused: [[claude({ claude_settings: [1] }), "agent.claude_settings: found a list of 1, expected text or a mapping"]],
  },
  {
    rule: "an unknown SDK option is refused",
    accepted: [claude({ sdk_options: { effort: "high", betas: [], verbatim_prompts: true } })],
    refused: [
      [
        claude({ sdk_options: { efort: "high" } }),
        "agent.sdk_options.efort: found text 'high'; 'efort' is no SDK option; allowed: betas, client_app, effort, enable_file_checkpointing, fallback_model, forward_subagent_text, include_hook_events, load_timeout_ms, max_buffer_size, max_thinking_tokens, output_format, resume_drops_turn, resume_session_at, strict_mcp_config, thinking, user, verbatim_prompts",
      ],
    ],
  },
  {
    rule: "setting_sources are user, project, local or null",
    accepted: [
      claude({ setting_sources: ["user", "project", "local"] }),
      claude({ setting_sources: [] }),
      claude({ setting_sources: null }),
    ],
    refused: [
      [claude({ setting_sources: ["global"] }), "agent.setting_sources[0]: found text 'global', expected one of user, project, local"],
    ],
  },
  {
    rule: "fields of claude-code are its own",
    refused: [
      [agent("codex", { claude_settings: {} }), "agent.claude_settings: unknown field 'claude_settings'"],
      [agent("none", { setting_sources: [] }), "agent.setting_sources: unknown field 'setting_sources'"],
    ],
  },
  {
    rule: "antigravity thinks at one of four levels",
    accepted: [agent("antigravity", { thinking_level: "minimal" })],
    refused: [
      [
        agent("antigravity", { thinking_level: "max" }),
        "agent.thinking_level: found text 'max', expected one of minimal, low, medium, high",
      ],
    ],
  },
  {
    rule: "pi thinks at one of seven levels",
    accepted: ["off", "minimal", "low", "medium", "high", "xhigh", "max"].map((thinking_level) => agent("pi", { thinking_level })),
    refused: [
      [
        agent("pi", { thinking_level: "none" }),
        "agent.thinking_level: found text 'none', expected one of off, minimal, low, medium, high, xhigh, max",
      ],
    ],
  },
  {
    rule: "opencode has variant, pure and require_token_telemetry",
    accepted: [agent("opencode", { variant: "v", pure: "no", require_token_telemetry: false })],
    refused: [
      [agent("opencode", { pure: "perhaps" }), "agent.pure: found text 'perhaps', expected true or false"],
      [agent("codex", { pure: true }), "agent.pure: unknown field 'pure'"],
    ],
  },
  {
    rule: "delegate has sdk_options of any name, project_id, session_id, enable_computer_use",
    accepted: [agent("delegate", { sdk_options: { anything: 1 }, project_id: "p", session_id: "s", enable_computer_use: true })],
    refused: [[agent("delegate", { project_id: 1 }), "agent.project_id: found the number 1, expected text"]],
  },
]);

/** In the order of formats.md 1.3. */
const owned =
  "model, permission_mode, allowed_tools, disallowed_tools, plugins, system_prompt, system_prompt_file, settings, cwd, env, stderr, debug_stderr, resume, max_turns, " +
  "session_id, session_store, session_store_flush, continue_conversation, fork_session, max_budget_usd, task_budget, hooks, " +
  "mcp_servers, cli_path, extra_args, agents, can_use_tool, permission_prompt_tool_name, tools, sandbox, skills, add_dirs, " +
  "setting_sources, include_partial_messages";

testRules(
  "1.3",
  owned.split(", ").map(
    (name): Rule => ({
      rule: `the SDK option ${name} is set by the harness`,
      refused: [
        [
          claude({ sdk_options: { [name]: null } }),
          `agent.sdk_options.${name}: '${name}' is set by the harness and cannot be an SDK option`,
        ],
      ],
    }),
  ),
);
