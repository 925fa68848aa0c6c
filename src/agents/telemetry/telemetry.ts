import { cut } from "../../results/cut-text.ts";
import type { Message, TurnRecord } from "../../results/turn-record.ts";
import type { AgentEvent, CallUsage, EndEvent, ModelCallEvent, TextEvent, ToolCallEvent } from "../agent-event.ts";
import type { PriceOf } from "../prices/price-of.ts";
import { toTokenUsage } from "./call-usage.ts";
import { CommandRecords } from "./command-records.ts";
import type { LiveTelemetry } from "./live-telemetry.ts";
import { ModelCalls } from "./model-calls.ts";
import { parametersLength } from "./parameters-length.ts";
import { ProviderErrors } from "./provider-errors.ts";
import { reconciliation } from "./reconciliation.ts";
import { Reply } from "./reply.ts";
import { StreamTime } from "./stream-time.ts";
import { TextRoom } from "./text-room.ts";
import { Transcript } from "./transcript.ts";

export interface TelemetryOptions {
  /** The whole prompt of the turn. */
  readonly prompt: string;
  readonly startedAt: Date;
  readonly priceOf: PriceOf;
  /** What the agent was told to use: holds until its stream names a model, and where it never does. */
  readonly model?: string | undefined;
}

export interface TurnEnd {
  readonly endedAt: Date;
  readonly durationSeconds: number;
  /** Why the turn is a crash; null when it is none. */
  readonly crashReason: string | null;
  readonly maxTurnsExhausted: boolean;
}

/** Makes the record of one turn (formats.md 5.4) out of an agent's events. Nothing that an event holds makes it throw. */
export interface Telemetry {
  push(event: AgentEvent, arrivedAt: Date): void;
  /** What was seen so far. Its lists go on growing. */
  live(): LiveTelemetry;
  finish(end: TurnEnd): TurnRecord;
}

export function createTelemetry(options: TelemetryOptions): Telemetry {
  return new TurnTelemetry(options);
}

/** Characters of a crash's reason before the ellipsis (formats.md 10.2). */
const crashReasonCharacters = 200;

class TurnTelemetry implements Telemetry {
  readonly #options: TelemetryOptions;
  readonly #time: StreamTime;
  readonly #room = new TextRoom();
  readonly #commands = new CommandRecords(this.#room);
  readonly #transcript = new Transcript();
  readonly #reply = new Reply();
  readonly #errors = new ProviderErrors();
  readonly #calls: ModelCalls;
  /** Which pieces a call wrote, by the call's key. */
  readonly #groups = new Map<string, { readonly group: string; readonly messageId: string | undefined }>();
  /** When what came last was over: what the model writes next was begun then. */
  #boundary: Date;
  #sessionAt: Date | undefined;
  #end: { readonly event: EndEvent; readonly at: Date } | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#time = new StreamTime(options.startedAt);
    this.#boundary = this.#time.of(undefined, options.startedAt);
    this.#calls = new ModelCalls(options.priceOf);
    if (options.model !== undefined) this.#calls.sessionModel(options.model);
  }

  push(event: AgentEvent, arrivedAt: Date): void {
    const at = this.#time.of(event.at, arrivedAt);
    switch (event.kind) {
      case "session":
        if (event.model !== undefined) this.#calls.sessionModel(event.model);
        this.#sessionAt ??= at;
        if (this.#transcript.length === 0) this.#boundary = at;
        return;
      case "text":
      case "thinking":
        this.#text(event, at);
        return;
      case "tool call":
        this.#toolCall(event, at);
        return;
      case "tool result":
        this.#commands.result(event, at);
        this.#boundary = at;
        return;
      case "model call":
        this.#modelCall(event, at);
        return;
      case "retry":
      case "error":
        this.#errors.push(event, at);
        this.#boundary = at;
        return;
      case "end":
        this.#end = { event, at };
        return;
      case "unknown":
        return;
    }
  }

  live(): LiveTelemetry {
    const { usage, costUsd } = this.#end === undefined ? this.#calls.soFar : this.#calls.totals(this.#end.event);
    return { modelCalls: this.#calls.count, toolCalls: this.#commands.live, usage, costUsd };
  }

  finish({ endedAt, durationSeconds, crashReason, maxTurnsExhausted }: TurnEnd): TurnRecord {
    const end = this.#end?.event;
    const { usage, costUsd } = this.#calls.totals(end);
    const calls = this.#calls.count;
    const ended = this.#time.of(undefined, endedAt);
    const summary = this.#reply.summary(end);
    return {
      iteration: 1,
      user_input: this.#options.prompt,
      agent_output: this.#reply.output(summary),
      commands: this.#commands.records,
      timestamp: ended.toISOString(),
      duration_seconds: Number.isFinite(durationSeconds) ? Math.max(0, durationSeconds) : null,
      harness_startup_ms: this.#sessionAt === undefined ? null : since(this.#options.startedAt, this.#sessionAt),
      harness_teardown_ms: this.#end === undefined ? null : since(this.#end.at, ended),
      tool_union_ms: this.#commands.unionMs(),
      token_usage: usage === undefined ? null : toTokenUsage(usage, costUsd),
      model_used: this.#calls.model,
      assistant_turn_count: this.#transcript.length,
      messages: this.#messages(usage),
      num_turns: end?.turns ?? (calls > 0 ? calls : null),
      max_turns_exhausted: maxTurnsExhausted || end?.maxTurnsReached === true,
      result_summary: summary,
      provider_call_costs: this.#ownCosts(),
      provider_errors: this.#errors.list,
      crashed: crashReason !== null,
      crash_reason: crashReason === null ? null : cut(crashReason, crashReasonCharacters + 1),
    };
  }

  #text(event: TextEvent, at: Date): void {
    const text = this.#room.text(event.text);
    this.#piece({ kind: event.kind, text, toolId: undefined, weight: event.text.length }, event, at);
    if (event.kind === "text" && event.parentToolCallId === undefined) this.#reply.text(text);
  }

  #toolCall(event: ToolCallEvent, at: Date): void {
    this.#commands.call(event, at, this.#transcript.length);
    this.#piece(
      { kind: "tool_use", text: "", toolId: event.id, weight: event.nativeTool.length + parametersLength(event.parameters) },
      event,
      at,
    );
    if (event.parentToolCallId === undefined) this.#reply.toolCall();
  }

  #piece(
    piece: {
      readonly kind: "text" | "thinking" | "tool_use";
      readonly text: string;
      readonly toolId: string | undefined;
      readonly weight: number;
    },
    { messageId, parentToolCallId }: TextEvent | ToolCallEvent,
    at: Date,
  ): void {
    this.#transcript.push({ ...piece, messageId, parentToolCallId, startedAt: this.#boundary < at ? this.#boundary : at, completedAt: at });
    this.#boundary = at;
  }

  #modelCall(event: ModelCallEvent, at: Date): void {
    const key = this.#calls.push(event, at);
    if (!this.#groups.has(key)) this.#groups.set(key, { group: this.#transcript.groupOf(event.messageId), messageId: event.messageId });
  }

  #messages(usage: CallUsage | undefined): Message[] {
    const pieceCalls = this.#calls.entries().map(([key, call]) => ({ ...call, group: this.#groups.get(key)?.group ?? "" }));
    const messages = this.#transcript.messages(pieceCalls, this.#calls.model);
    const rest = reconciliation(messages, usage);
    return rest === undefined ? messages : [...messages, rest];
  }

  /** Prices of single calls that the agent itself tells. */
  #ownCosts(): Record<string, unknown>[] {
    return this.#calls.entries().flatMap(([, { messageId, usage, ownCostUsd }]) => {
      if (ownCostUsd === undefined) return [];
      return [
        {
          call_id: messageId ?? null,
          cost_usd: ownCostUsd,
          input_tokens: usage?.uncachedInput ?? null,
          cache_read_tokens: usage?.cacheRead ?? null,
          cache_write_tokens: usage?.cacheCreation ?? null,
          output_tokens: usage?.output ?? null,
        },
      ];
    });
  }
}

function since(from: Date, to: Date): number | null {
  const ms = to.getTime() - from.getTime();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
