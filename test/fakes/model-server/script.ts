/** Tokens of one model call as the service counts them: `input` holds the cached ones too, `output` the reasoning. */
export interface ScriptUsage {
  readonly input: number;
  readonly cachedInput: number;
  /** Only Anthropic tells them; elsewhere they are plain input. */
  readonly cacheCreation?: number;
  readonly output: number;
  readonly reasoning?: number;
}

/** What the model wants done, in words that no program has: it is put into the tools that the request offers. */
export type AbstractCall =
  /** `path` is relative to the working directory that the prompt names. */
  | { readonly tool: "write"; readonly path: string; readonly content: string }
  | { readonly tool: "shell"; readonly command: string }
  /** A tool by its own name with arguments as they are. */
  | { readonly tool: "native"; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** One answer of the model. */
export interface ModelTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly AbstractCall[];
  readonly usage: ScriptUsage;
  /** Before the first byte of content. */
  readonly delayMs?: number;
}

/** What goes wrong instead of an answer. */
export type Fault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection breaks after the first piece of the answer. */
  | { readonly kind: "drop" }
  /** The request is taken and never answered. */
  | { readonly kind: "hang" };

export interface Scenario {
  readonly turns: readonly ModelTurn[];
  /** The last turn comes again and again. */
  readonly endless?: boolean;
  readonly fault?: Fault;
  /** Only the first so many calls of a session meet the fault. */
  readonly faultyCalls?: number;
}

/**
 * The turn that follows so many results of tools. It depends on nothing but the request, so that a call that is sent again is answered
 * the same; past the end comes a turn that only says so.
 */
export function turnAfter(scenario: Scenario, results: number): ModelTurn {
  let left = results;
  for (const turn of scenario.turns) {
    if (left <= 0) return turn;
    left -= turn.toolCalls?.length ?? 0;
  }
  const last = scenario.turns.at(-1);
  if (last !== undefined && (scenario.endless === true || left <= 0)) return last;
  return { text: "There is nothing left to do.", usage: { input: 10, cachedInput: 0, output: 5 } };
}

/** The sum of what a scenario's turns report, each counted once. */
export function totalUsage(turns: readonly ModelTurn[]): Required<ScriptUsage> {
  const sum = (pick: (usage: ScriptUsage) => number) => turns.reduce((total, { usage }) => total + pick(usage), 0);
  return {
    input: sum((usage) => usage.input),
    cachedInput: sum((usage) => usage.cachedInput),
    cacheCreation: sum((usage) => usage.cacheCreation ?? 0),
    output: sum((usage) => usage.output),
    reasoning: sum((usage) => usage.reasoning ?? 0),
  };
}
