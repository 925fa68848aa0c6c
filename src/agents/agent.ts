import type { AgentConfig } from "../plan/schema/task-schema.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** What an agent gets: its place of work, the prompt and how long it may take. */
export interface AgentContext {
  readonly sandbox: Sandbox;
  readonly config: AgentConfig;
  /** The whole prompt, with the line that names the working directory (formats.md 5.8). */
  readonly prompt: string;
  /** Added to the sandbox's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; the agent's processes are killed after it. */
  readonly timeoutMs: number;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The agent's output as it comes, for the log. */
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

/** How the agent's work ended. What it left in the sandbox is judged in every case; only the status differs. */
export type AgentEnd =
  | { readonly kind: "completed" }
  | { readonly kind: "timed out"; readonly afterMs: number }
  /** It could not do its work for a reason that is not its own: not installed, no memory. */
  | { readonly kind: "crashed"; readonly category: "agent_crash" | "agent_config_error" | "out_of_memory"; readonly message: string };

export interface AgentOutcome {
  readonly end: AgentEnd;
  readonly turn: TurnRecord;
}

/** One kind of agent. @throws SandboxLostError, or the signal's reason */
export interface AgentAdapter {
  readonly type: string;
  /** A line for the sandbox's shell that prints the version of the agent's program; absent where there is no such program. */
  readonly versionCommand?: string | undefined;
  run(context: AgentContext): Promise<AgentOutcome>;
}
