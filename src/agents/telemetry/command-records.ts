import type { CommandTelemetry } from "../../results/turn-record.ts";
import type { ToolCallEvent, ToolResultEvent } from "../agent-event.ts";
import type { LiveTelemetry } from "./live-telemetry.ts";
import { resultDataOf, writable } from "./result-data.ts";
import type { TextRoom } from "./text-room.ts";

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The tool calls of one turn, in the order in which they were made. */
export class CommandRecords {
  readonly #room: TextRoom;
  readonly #records: CommandTelemetry[] = [];
  readonly #live: LiveTelemetry["toolCalls"][number][] = [];
  /** Calls of an id that have no result yet, oldest first: some services give every call the same id. */
  readonly #open = new Map<string, number[]>();
  readonly #spans: Span[] = [];

  constructor(room: TextRoom) {
    this.#room = room;
  }

  get live(): LiveTelemetry["toolCalls"] {
    return this.#live;
  }

  get records(): CommandTelemetry[] {
    return this.#records;
  }

  /** @param turnIndex the message that holds the call, from 0 */
  call({ id, tool, parameters: given }: ToolCallEvent, at: Date, turnIndex: number): void {
    const parameters = writable(given);
    const time = at.toISOString();
    const index = this.#records.length;
    this.#records.push({
      tool_name: tool,
      tool_id: id,
      assistant_turn_index: turnIndex,
      timestamp: time,
      duration_ms: null,
      generation_completed_at: time,
      execution_started_at: time,
      execution_completed_at: null,
      parameters,
      result_status: null,
      result_summary: null,
      error_message: null,
      result_data: null,
      sequence_number: index,
      result_tokens: 0,
    });
    this.#live.push({ tool_name: tool, parameters, result_status: null });
    const open = this.#open.get(id);
    if (open === undefined) this.#open.set(id, [index]);
    else open.push(index);
  }

  /** A result without a call is left out: nothing is known of what was called. */
  result({ id, status, text, durationMs }: ToolResultEvent, at: Date): void {
    const index = this.#open.get(id)?.shift();
    const record = index === undefined ? undefined : this.#records[index];
    if (index === undefined || record === undefined) return;
    const calledMs = Date.parse(record.timestamp ?? "");
    const endMs = at.getTime();
    const toldMs = durationMs !== undefined && Number.isFinite(durationMs) && durationMs > 0 ? durationMs : undefined;
    // Call and result in one line without a duration: it was not timed.
    const startMs = toldMs === undefined ? calledMs : Math.max(0, endMs - toldMs);
    const tookMs = toldMs ?? (endMs > calledMs ? endMs - calledMs : null);
    if (tookMs !== null) this.#spans.push({ startMs, endMs });
    const summary = this.#room.result(text);
    this.#records[index] = {
      ...record,
      duration_ms: tookMs,
      execution_started_at: new Date(startMs).toISOString(),
      execution_completed_at: at.toISOString(),
      result_status: status,
      result_summary: summary,
      error_message: status === "error" ? summary : null,
      result_data: resultDataOf(text),
      result_tokens: Math.ceil(text.length / 4),
    };
    this.#live[index] = { tool_name: record.tool_name, parameters: record.parameters, result_status: status };
  }

  /** Milliseconds in which at least one tool was at work; null where none was timed. */
  unionMs(): number | null {
    let total: number | null = null;
    let reachedMs = Number.NEGATIVE_INFINITY;
    for (const { startMs, endMs } of this.#spans.toSorted((a, b) => a.startMs - b.startMs)) {
      total = (total ?? 0) + Math.max(0, endMs - Math.max(startMs, reachedMs));
      reachedMs = Math.max(reachedMs, endMs);
    }
    return total;
  }
}
