/** Claude Agent SDK options that the harness sets itself: refused in `sdk_options` (formats.md 1.3). */
const ownedOptions = new Set(
  (
    "model permission_mode allowed_tools disallowed_tools plugins system_prompt system_prompt_file settings cwd env stderr debug_stderr " +
    "resume max_turns session_id session_store session_store_flush continue_conversation fork_session max_budget_usd task_budget hooks " +
    "mcp_servers cli_path extra_args agents can_use_tool permission_prompt_tool_name tools sandbox skills add_dirs setting_sources " +
    "include_partial_messages"
  ).split(" "),
);

/** Options that a task may set. */
export const allowedSdkOptions: readonly string[] = (
  "betas client_app effort enable_file_checkpointing fallback_model forward_subagent_text include_hook_events load_timeout_ms " +
  "max_buffer_size max_thinking_tokens output_format resume_drops_turn resume_session_at strict_mcp_config thinking user verbatim_prompts"
).split(" ");

/** Why a key of `sdk_options` is refused, or `undefined` when it is fine. */
export function sdkOptionProblem(key: string): "owned" | "unknown" | undefined {
  if (ownedOptions.has(key)) return "owned";
  return allowedSdkOptions.includes(key) ? undefined : "unknown";
}
