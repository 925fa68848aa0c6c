import type { AgentOutcome, AgentStop } from "../agents/agent.ts";
import type { ImageBuildError } from "../errors.ts";
import type { CriterionResult } from "../results/criterion-result.ts";
import { type AttemptHistory, firstAttempt } from "../results/resume/attempt-history.ts";
import type { HookResult } from "../results/task-result.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import type { ExportReport, QuiesceReport, SandboxFacts } from "../sandbox/sandbox.ts";
import type { AgentRefused } from "./agent-refusals.ts";
import type { StopReason } from "./batch.ts";
import type { AgentFailure } from "./error-context.ts";

/** Where in a task's life something went wrong; upstream's words where it has one (formats.md 5.6). */
export type Component = "sandbox.image" | "orchestrator.setup" | "orchestrator.iteration_1" | "orchestrator.grading";

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly kind: "graded"; readonly passed: boolean; readonly weightedScore: number }
  /** A turn limit ended it, and the criteria do not pass. */
  | { readonly kind: "max turns"; readonly weightedScore: number }
  /** Whatever the criteria say. */
  | { readonly kind: "budget exceeded"; readonly budget: "tokens" | "cost"; readonly message: string; readonly weightedScore: number }
  | { readonly kind: "task timeout"; readonly seconds: number }
  | { readonly kind: "build failed"; readonly error: ImageBuildError }
  | { readonly kind: "error"; readonly component: Component; readonly error: unknown; readonly agent?: AgentFailure | undefined };

/** What was seen so far in an attempt: filled in stage by stage, so that whatever ends it, nothing already seen is lost. */
export interface Attempt {
  readonly startedAt: Date;
  readonly history: AttemptHistory;
  /** Digest of what it runs with; null where nobody made one. */
  readonly stamp: string | null;
  readonly stagesMs: Record<string, number>;
  readonly preRun: HookResult[];
  readonly postRun: HookResult[];
  readonly turns: TurnRecord[];
  criteria: CriterionResult[];
  postFailureCriteria: CriterionResult[];
  readonly installedTools: Record<string, string>;
  /** Versions in the sandbox, before the agent came. */
  versions: Readonly<Record<string, string>>;
  readonly warnings: string[];
  /** What the agent said about itself, and why it was stopped where it was. */
  agent: { readonly facts: AgentOutcome["facts"]; readonly stop: AgentStop | undefined } | undefined;
  facts: SandboxFacts | undefined;
  quiesced: QuiesceReport | undefined;
  outOfMemory: boolean;
  /** What concerned the whole run and not this attempt, and ended it. */
  cutShort: StopReason | AgentRefused | undefined;
  artifacts: ExportReport | undefined;
  artifactsDir: string | undefined;
}

export function newAttempt(startedAt: Date, history: AttemptHistory = firstAttempt, stamp: string | null = null): Attempt {
  return {
    startedAt,
    history,
    stamp,
    stagesMs: {},
    preRun: [],
    postRun: [],
    turns: [],
    criteria: [],
    postFailureCriteria: [],
    installedTools: {},
    versions: {},
    warnings: [],
    agent: undefined,
    facts: undefined,
    quiesced: undefined,
    outOfMemory: false,
    cutShort: undefined,
    artifacts: undefined,
    artifactsDir: undefined,
  };
}
