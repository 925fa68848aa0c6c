import type { KitRecipe } from "../kits/kit-recipe.ts";
import type { AgentConfig } from "../plan/schema/task-schema.ts";
import type { EarlyStopInfo } from "../results/early-stop-info.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { AgentEvent } from "./agent-event.ts";
import type { LiveTelemetry } from "./telemetry/live-telemetry.ts";

/** Why an agent that is at work is stopped before its own end. What it did so far is graded. */
export type AgentStop =
  | { readonly kind: "early stop"; readonly info: EarlyStopInfo }
  | { readonly kind: "max turns" }
  | { readonly kind: "budget"; readonly budget: "tokens" | "cost"; readonly message: string };

/** What an agent gets: its place of work, the prompt and how long it may take. */
export interface AgentContext {
  readonly sandbox: Sandbox;
  readonly config: AgentConfig;
  /** The whole prompt, with the line that names the working directory (formats.md 5.8). */
  readonly prompt: string;
  /** Added to the sandbox's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Keys and addresses for this agent's process alone: those of its adapter's `variables` that the host has. */
  readonly secretEnv: Readonly<Record<string, string>>;
  /** Its program inside the sandbox: an absolute path (kit), or a name on the image's PATH. */
  readonly program: string | undefined;
  /** Absolute paths inside the sandbox, in the order of `agent.plugins`. */
  readonly pluginDirs: readonly string[];
  readonly maxTurns: number | undefined;
  readonly maxUsd: number | undefined;
  /** Milliseconds; the agent's processes are killed after it. */
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The agent's output as it comes, for the log. */
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
  /** Hides secrets in what is kept of its output; done before a text is cut, since half a secret is found by nobody. */
  readonly hide?: ((text: string) => string) | undefined;
  /** The turn so far, where no outcome comes because the sandbox is lost or the work is called off. */
  readonly onCutOff?: ((turn: TurnRecord) => void) | undefined;
  /** What the task asks for and this agent cannot do. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** After each event of its stream. A reason ends the agent: its processes are killed, and the turn ends as `stopped`. */
  readonly onEvent: (event: AgentEvent, live: LiveTelemetry) => AgentStop | undefined;
}

/** Categories of an agent's failure (formats.md 10.1); `agent_auth_error` and `agent_billing_error` concern every task of the agent. */
export type AgentErrorCategory =
  | "agent_api_error"
  | "agent_rate_limit"
  | "agent_crash"
  | "agent_timeout"
  | "agent_auth_error"
  | "agent_billing_error"
  | "agent_invalid_output"
  | "agent_config_error"
  | "out_of_memory"
  | "disk_full"
  | "unknown";

/** How the agent's work ended. What it left in the sandbox is judged in every case; only the status differs. */
export type AgentEnd =
  | { readonly kind: "completed" }
  | { readonly kind: "timed out"; readonly afterMs: number }
  | { readonly kind: "stopped"; readonly cause: AgentStop }
  /** It could not do its work for a reason that is not its own: not installed, no memory, the service refuses. */
  | {
      readonly kind: "crashed";
      readonly category: AgentErrorCategory;
      readonly message: string;
      /** Milliseconds that the service asked to wait before the next try. */
      readonly retryAfterMs?: number | undefined;
      /** Last part of what it said, for `error_details`. */
      readonly stdout?: string | undefined;
      readonly stderr?: string | undefined;
    };

export interface AgentOutcome {
  readonly end: AgentEnd;
  readonly turn: TurnRecord;
  /** For `environment_info`: session id, version by the stream, skills offered. */
  readonly facts?:
    | { readonly sessionId?: string | undefined; readonly version?: string | undefined; readonly skills?: readonly string[] | undefined }
    | undefined;
}

/** What a run has to provide for an agent that is a program of its own. */
export interface CliFacts {
  readonly kit: KitRecipe;
  /** Variables of the host that reach the agent's process, and only it. */
  readonly variables: readonly string[];
  /** One of these must be set; empty: it can do without. */
  readonly credentials: readonly string[];
  readonly defaultModel: string | undefined;
  /** Limits that the program keeps by itself. */
  readonly native: { readonly maxTurns: boolean; readonly maxUsd: boolean };
}

/** One kind of agent. @throws SandboxLostError, or the signal's reason */
export interface AgentAdapter {
  readonly type: string;
  /** A line for the sandbox's shell that prints the version of the agent's program; absent where there is no such program. */
  readonly versionCommand?: string | undefined;
  /** Set where the agent is a program with a stream of events (`cli/run-cli.ts`). */
  readonly cli?: CliFacts | undefined;
  run(context: AgentContext): Promise<AgentOutcome>;
}
