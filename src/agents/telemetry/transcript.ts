import type { Message } from "../../results/turn-record.ts";
import type { CallUsage } from "../agent-event.ts";

export interface Piece {
  readonly kind: "text" | "thinking" | "tool_use";
  readonly text: string;
  readonly toolId: string | undefined;
  /** How much of a call's output it stands for, compared with the call's other pieces. */
  readonly weight: number;
  readonly messageId: string | undefined;
  readonly parentToolCallId: string | undefined;
  readonly startedAt: Date;
  readonly completedAt: Date;
}

export interface PieceCall {
  /** From `groupOf`. */
  readonly group: string;
  readonly usage: CallUsage | undefined;
  readonly model: string | undefined;
  readonly stopReason: string | undefined;
}

/** What the model wrote in one turn, piece by piece: each piece is a message, as coder_eval records a stream. */
export class Transcript {
  readonly #pieces: { readonly piece: Piece; readonly group: string }[] = [];
  readonly #groups = new Set<string>();
  /** Pieces without the name of a call belong to the call that is going on. */
  #open = 0;

  get length(): number {
    return this.#pieces.length;
  }

  push(piece: Piece): void {
    const group = piece.messageId === undefined ? openGroup(this.#open) : namedGroup(piece.messageId);
    this.#groups.add(group);
    this.#pieces.push({ piece, group });
  }

  /** Which pieces a call wrote that is told only now; ends the one that is going on. */
  groupOf(messageId: string | undefined): string {
    const open = openGroup(this.#open);
    if (messageId !== undefined && (this.#groups.has(namedGroup(messageId)) || !this.#groups.has(open))) return namedGroup(messageId);
    this.#open += 1;
    return open;
  }

  /** With the tokens of each call spread over its pieces: the input on the first, the output by their length. */
  messages(calls: readonly PieceCall[], model: string | null): Message[] {
    const callOf = new Map(calls.map((call) => [call.group, call]));
    const spread = spreadOf(this.#pieces);
    return this.#pieces.map(({ piece, group }, index) => {
      const call = callOf.get(group);
      const usage = call?.usage;
      const share = spread[index] ?? { isFirst: true, isLast: true, from: 0, to: 1, isThinking: true };
      const input = (tokens: number | undefined): number => (share.isFirst ? (tokens ?? 0) : 0);
      const output = usage === undefined ? 0 : Math.round(usage.output * share.to) - Math.round(usage.output * share.from);
      return {
        role: "assistant",
        started_at: piece.startedAt.toISOString(),
        completed_at: piece.completedAt.toISOString(),
        generation_duration_ms: piece.completedAt.getTime() - piece.startedAt.getTime() || null,
        content_blocks: [blockOf(piece)],
        tool_use_ids: piece.toolId === undefined ? [] : [piece.toolId],
        input_tokens: input(usage?.uncachedInput),
        output_tokens: output,
        cache_creation_tokens: input(usage?.cacheCreation),
        cache_read_tokens: input(usage?.cacheRead),
        reasoning_tokens: share.isThinking ? (usage?.reasoning ?? 0) : 0,
        stop_reason: share.isLast ? (call?.stopReason ?? null) : null,
        model: call?.model ?? (piece.parentToolCallId === undefined ? model : null),
        message_id: piece.messageId ?? null,
        parent_tool_use_id: piece.parentToolCallId ?? null,
      };
    });
  }
}

interface Share {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Parts of 1. */
  readonly from: number;
  readonly to: number;
  /** The piece that the reasoning is counted with: the first that shows any, else the first. */
  readonly isThinking: boolean;
}

function spreadOf(pieces: readonly { readonly piece: Piece; readonly group: string }[]): Share[] {
  const groups = new Map<string, { total: number; before: number; first: number; last: number; thinking: number }>();
  for (const [index, { piece, group }] of pieces.entries()) {
    const known = groups.get(group) ?? { total: 0, before: 0, first: index, last: index, thinking: -1 };
    known.total += weightOf(piece);
    known.last = index;
    if (known.thinking === -1 && piece.kind === "thinking") known.thinking = index;
    groups.set(group, known);
  }
  return pieces.map(({ piece, group }, index) => {
    const all = groups.get(group) ?? { total: 1, before: 0, first: index, last: index, thinking: -1 };
    const from = all.before / all.total;
    all.before += weightOf(piece);
    const isLast = index === all.last;
    return {
      isFirst: index === all.first,
      isLast,
      from,
      to: isLast ? 1 : all.before / all.total,
      isThinking: index === (all.thinking === -1 ? all.first : all.thinking),
    };
  });
}

function weightOf(piece: Piece): number {
  return Math.max(1, piece.weight);
}

function blockOf(piece: Piece): Record<string, unknown> {
  return {
    block_type: piece.kind,
    sequence: 0,
    text: piece.kind === "text" ? piece.text : null,
    thinking: piece.kind === "thinking" ? piece.text : null,
    signature: null,
    tool_use_id: piece.toolId ?? null,
    is_error: false,
  };
}

function openGroup(number: number): string {
  return `open ${number}`;
}

function namedGroup(messageId: string): string {
  return `named ${messageId}`;
}
