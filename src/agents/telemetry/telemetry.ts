import type { TurnRecord } from "../../results/turn-record.ts";
import type { AgentEvent } from "../agent-event.ts";
import type { PriceOf } from "../prices/price-of.ts";
import { emptyTurn } from "../turn.ts";
import type { LiveTelemetry } from "./live-telemetry.ts";

export interface TelemetryOptions {
  readonly prompt: string;
  readonly startedAt: Date;
  readonly priceOf: PriceOf;
}

export interface TurnEnd {
  readonly endedAt: Date;
  readonly durationSeconds: number;
  /** Why the turn is a crash; null when it is none. */
  readonly crashReason: string | null;
  readonly maxTurnsExhausted: boolean;
}

/** Makes the record of one turn out of an agent's events. Nothing that an event holds makes it throw. */
export interface Telemetry {
  push(event: AgentEvent, arrivedAt: Date): void;
  /** What was seen so far. Its lists go on growing. */
  live(): LiveTelemetry;
  finish(end: TurnEnd): TurnRecord;
}

export function createTelemetry({ prompt, startedAt }: TelemetryOptions): Telemetry {
  return {
    push() {},
    live: () => ({ modelCalls: 0, toolCalls: [], usage: undefined, costUsd: null }),
    finish: () => emptyTurn(prompt, startedAt),
  };
}
