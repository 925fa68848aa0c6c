import type { KitRecipe } from "../../kits/kit-recipe.ts";
import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import type { FileEntry } from "../../sandbox/sandbox.ts";
import type { AgentEvent } from "../agent-event.ts";

/** What an adapter makes a command line from. */
export interface CliRequest<Config extends AgentConfig = AgentConfig> {
  readonly config: Config;
  readonly prompt: string;
  readonly model: string | undefined;
  /** Of the task's `run_limits`; an adapter without an option for it leaves it to the counting of model calls. */
  readonly maxTurns: number | undefined;
  readonly maxUsd: number | undefined;
  readonly timeoutMs: number;
  /** Absolute paths inside the sandbox. The files of an invocation are put below `home`, which is the agent's `HOME`. */
  readonly home: string;
  readonly workDir: string;
  /** Absolute paths inside the sandbox of plugins and skills that the task offers, in the order of `agent.plugins`. */
  readonly pluginDirs: readonly string[];
  /** Variables of the host that the agent gets (`CliAgent.variables`): only those that are set. */
  readonly env: Readonly<Record<string, string>>;
}

export interface CliInvocation {
  /** After the program. Never a secret; a prompt goes to stdin where the program reads it from there. */
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Paths relative to `home`. */
  readonly files: readonly FileEntry[];
  /** What the task asks for and this agent cannot do, one line each. */
  readonly warnings: readonly string[];
  /** Files below `home` (a pattern) that are read when the program has ended and given to the parser's `end`. */
  readonly afterwards?: string | undefined;
}

/** Events of one stream. Lines come as the program wrote them, without their end; a cut last line comes too, and throws nothing. */
export interface StreamParser {
  push(line: string): readonly AgentEvent[];
  /** The stream is over: what was still open, and what the files of `afterwards` tell. */
  end(afterwards?: readonly { readonly path: string; readonly text: string }[]): readonly AgentEvent[];
}

/** How the program ended, and everything it said. */
export interface CliEnd {
  readonly exitCode: number | undefined;
  /** Last part of stderr. */
  readonly stderr: string;
  readonly events: readonly AgentEvent[];
}

/** What became of the agent's work by stream and exit code together, never by the exit code alone. */
export type CliVerdict =
  | { readonly kind: "completed" }
  /** Its own turn limit. */
  | { readonly kind: "max turns" }
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly apiStatus?: number | undefined;
      /** Milliseconds that the service asked to wait. */
      readonly retryAfterMs?: number | undefined;
      /** Where text and status do not tell it (formats.md 10.2). */
      readonly category?: "agent_crash" | "agent_config_error" | "agent_invalid_output" | undefined;
    };

/** One agent's command line: what it is started with, what its stream means, how it ended. One file each. */
export interface CliAgent<Config extends AgentConfig = AgentConfig> {
  readonly type: NonNullable<Config["type"]>;
  readonly kit: KitRecipe;
  /** Variables of the host that reach the agent's process, and only it: keys and addresses of the services it knows. */
  readonly variables: readonly string[];
  /** Of `variables`: one of these must be set; the task fails at once otherwise. Absent: it can do without. */
  readonly credentials?: readonly string[] | undefined;
  readonly defaultModel?: string | undefined;
  /** Limits of the task that `invoke` hands to the program, which keeps them by itself; the others are kept by watching the stream. */
  readonly native?: { readonly maxTurns?: boolean | undefined; readonly maxUsd?: boolean | undefined } | undefined;
  /** Pure. @throws AgentError `agent_config_error` for settings that this agent cannot honour and that would change the result */
  invoke(request: CliRequest<Config>): CliInvocation;
  createParser(): StreamParser;
  /** Pure. Without `config` the settings that matter to it have their defaults. */
  judge(end: CliEnd, config?: Config): CliVerdict;
}
