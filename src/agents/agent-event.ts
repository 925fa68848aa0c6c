/** Tokens of one or several calls of a model, in buckets that do not overlap, except that `reasoning` is a part of `output`. */
export interface CallUsage {
  readonly uncachedInput: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
  readonly output: number;
  /** null where the agent does not tell it. */
  readonly reasoning: number | null;
}

interface Seen {
  /** When it happened by the stream's own clock; absent where the stream tells no times: then its arrival counts. */
  readonly at?: Date | undefined;
  /** Id of the tool call that started the sub-agent which did this; absent: the agent itself did. */
  readonly parentToolCallId?: string | undefined;
}

/** A session began: what the agent says about itself. */
export interface SessionEvent extends Seen {
  readonly kind: "session";
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
  /** Version of the agent's program. */
  readonly version?: string | undefined;
  /** Names of skills that the agent was offered. */
  readonly skills?: readonly string[] | undefined;
}

/** A whole piece of what the model wrote (deltas are joined by the parser). */
export interface TextEvent extends Seen {
  readonly kind: "text" | "thinking";
  readonly text: string;
  /** Ties pieces and tool calls of one model call together; absent: they belong to the call that is going on. */
  readonly messageId?: string | undefined;
}

export interface ToolCallEvent extends Seen {
  readonly kind: "tool call";
  readonly id: string;
  /** The common name (`Bash`, `Write`, `Edit`, `Read`, …, formats.md 10); the agent's own where there is no common one. */
  readonly tool: string;
  readonly nativeTool: string;
  /** With the common tool's parameter names where the tool is a common one, e.g. `command` of Bash. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly messageId?: string | undefined;
}

export interface ToolResultEvent extends Seen {
  readonly kind: "tool result";
  readonly id: string;
  readonly status: "success" | "error" | "unknown";
  readonly text: string;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
}

/** One call of the model is over, or what is known of it so far was corrected: a later one with the same `messageId` replaces it. */
export interface ModelCallEvent extends Seen {
  readonly kind: "model call";
  readonly messageId?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: CallUsage | undefined;
  /** USD as the agent itself says; absent: it is worked out from the tokens. */
  readonly costUsd?: number | undefined;
  readonly stopReason?: string | undefined;
}

/** The agent tries a call of the model again by itself. */
export interface RetryEvent extends Seen {
  readonly kind: "retry";
  readonly attempt?: number | undefined;
  /** HTTP status of the call that failed. */
  readonly status?: number | undefined;
  readonly delayMs?: number | undefined;
  readonly message: string;
}

/** Something went wrong; `final` when the agent says that it gives up because of it. */
export interface ErrorEvent extends Seen {
  readonly kind: "error";
  readonly status?: number | undefined;
  readonly message: string;
  readonly final: boolean;
}

/** The agent's own last word. */
export interface EndEvent extends Seen {
  readonly kind: "end";
  readonly isError: boolean;
  /** `success`, `error_max_turns`, … in the agent's words. */
  readonly subtype: string;
  readonly stopReason?: string | undefined;
  /** The final reply. */
  readonly result?: string | undefined;
  readonly turns?: number | undefined;
  /** Sums of the whole turn; they win over sums of single calls. */
  readonly usage?: CallUsage | undefined;
  readonly costUsd?: number | undefined;
  /** The same by model, where the agent tells it. */
  readonly models?: readonly { readonly model: string; readonly usage: CallUsage; readonly costUsd?: number | undefined }[] | undefined;
  /** HTTP status of the call because of which it ended. */
  readonly apiStatus?: number | undefined;
  /** The agent's own turn limit ended it. */
  readonly maxTurnsReached?: boolean | undefined;
}

/** A line that the adapter does not know: kept as it is, never fatal. */
export interface UnknownEvent extends Seen {
  readonly kind: "unknown";
  readonly line: string;
}

/** What an agent's stream said, in words that all agents share. */
export type AgentEvent =
  | SessionEvent
  | TextEvent
  | ToolCallEvent
  | ToolResultEvent
  | ModelCallEvent
  | RetryEvent
  | ErrorEvent
  | EndEvent
  | UnknownEvent;
