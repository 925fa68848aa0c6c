import type { CallUsage } from "../agent-event.ts";

/** What was seen of a turn so far, while it goes on. */
export interface LiveTelemetry {
  /** Calls of the model that are known to be over. */
  readonly modelCalls: number;
  /** Tool calls so far, in order, as the trajectory criteria see them. */
  readonly toolCalls: readonly {
    readonly tool_name: string;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly result_status: string | null;
  }[];
  /** Sums over the calls that are over; undefined as long as the stream told none. */
  readonly usage: CallUsage | undefined;
  /** USD; null as long as nothing was priced. */
  readonly costUsd: number | null;
}
