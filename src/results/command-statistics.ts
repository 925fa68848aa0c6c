import type { CommandStatistics, TurnRecord } from "./turn-record.ts";

const slowestKept = 5;

/** Pure: sums over the tool calls of all turns of an attempt, crashed turns among them (formats.md 5.4). */
export function commandStatistics(turns: readonly TurnRecord[]): CommandStatistics {
  const commands = turns.flatMap((turn) => turn.commands);
  const timed = commands.flatMap((command) => (command.duration_ms === null ? [] : [{ command, durationMs: command.duration_ms }]));
  const timeMs = timed.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const successful = commands.filter((command) => command.result_status === "success").length;
  const failed = commands.filter((command) => command.result_status === "error").length;
  const known = successful + failed;
  const slowest = timed.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestKept);
  return {
    total_commands: commands.length,
    commands_by_tool: Object.fromEntries(counted(commands.map((command) => command.tool_name))),
    total_command_time_ms: timeMs,
    avg_command_time_ms: commands.length === 0 ? null : timed.length === 0 ? 0 : timeMs / timed.length,
    slowest_commands: slowest.map(({ command: { tool_name: tool, parameters, tool_id }, durationMs }) => ({
      tool,
      duration_ms: durationMs,
      parameters,
      tool_id,
    })),
    successful_commands: successful,
    failed_commands: failed,
    unknown_commands: commands.length - known,
    success_rate: known === 0 ? 0 : (successful / known) * 100,
    most_common_sequence: mostCommonSequence(turns),
  };
}

/** The most frequent run of three tools within a turn; the earliest of those that are as frequent. */
function mostCommonSequence(turns: readonly TurnRecord[]): string | null {
  const sequences = turns.flatMap(({ commands }) =>
    commands.slice(2).map((last, index) => `${commands[index]?.tool_name} → ${commands[index + 1]?.tool_name} → ${last.tool_name}`),
  );
  let best: { readonly sequence: string; readonly times: number } | undefined;
  for (const [sequence, times] of counted(sequences)) if (times > (best?.times ?? 0)) best = { sequence, times };
  return best?.sequence ?? null;
}

/** In the order in which the names were first seen. */
function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
