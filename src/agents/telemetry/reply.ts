import { cut } from "../../results/cut-text.ts";
import type { TurnRecord } from "../../results/turn-record.ts";
import type { EndEvent } from "../agent-event.ts";

type Summary = NonNullable<TurnRecord["result_summary"]>;

/** Characters of a final reply, and of a whole turn's output, that a record keeps. */
const mostOfReply = 200_000;
const mostOfOutput = 1_000_000;

/** What the agent said in words, and how it ended. */
export class Reply {
  readonly #lines: string[] = [];
  #length = 0;
  /** What it said after its last tool call. */
  #last: string | undefined;

  text(text: string): void {
    this.#last = text;
    if (this.#length > mostOfOutput) return;
    const line = `[ASSISTANT] ${text}`;
    this.#length += line.length;
    this.#lines.push(line);
  }

  toolCall(): void {
    this.#last = undefined;
  }

  /** null where the agent did not come to an end of its own. An agent that tells no reply at its end replied with its last words. */
  summary(end: EndEvent | undefined): Summary | null {
    if (end === undefined) return null;
    // Running out of turns is no reply.
    const told = end.maxTurnsReached === true ? undefined : (end.result ?? (end.isError ? undefined : this.#last));
    return {
      is_error: end.isError,
      subtype: end.subtype,
      stop_reason: end.stopReason ?? null,
      result: told === undefined ? null : cut(told, mostOfReply),
    };
  }

  /** As coder_eval renders a turn. */
  output(summary: Summary | null): string {
    const end = summary === null ? [] : [`[RESULT - ${summary.is_error ? "ERROR" : "SUCCESS"}] ${summary.result ?? ""}`];
    const lines = [...this.#lines, ...end];
    return lines.length === 0 ? "[No output]" : cut(lines.join("\n"), mostOfOutput + mostOfReply);
  }
}
