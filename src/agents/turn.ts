import type { TurnRecord } from "../results/turn-record.ts";

/** A turn in which nothing happened; adapters fill in what they saw. Keys in file order (formats.md 5.4). */
export function emptyTurn(prompt: string, startedAt: Date): TurnRecord {
  return {
    iteration: 1,
    user_input: prompt,
    agent_output: "",
    commands: [],
    timestamp: startedAt.toISOString(),
    duration_seconds: 0,
    harness_startup_ms: null,
    harness_teardown_ms: null,
    tool_union_ms: null,
    token_usage: null,
    model_used: null,
    assistant_turn_count: 0,
    messages: [],
    num_turns: null,
    max_turns_exhausted: false,
    result_summary: null,
    provider_call_costs: [],
    provider_errors: [],
    crashed: false,
    crash_reason: null,
  };
}
