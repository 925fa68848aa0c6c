import type { AgentStop } from "../agents/agent.ts";
import type { RunLimits } from "../plan/schema/task-schema.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import type { AttemptEnd } from "./attempt.ts";
import { type Breach, firstBreach, type Spent } from "./budgets.ts";

export interface BudgetCheck {
  readonly breach: Breach | undefined;
  readonly warnings: readonly string[];
}

/** Pure: whether the turns of a task, crashed ones among them, kept within its budgets (formats.md 5.8.5). */
export function checkBudgets(turns: readonly TurnRecord[], limits: RunLimits): BudgetCheck {
  const { spent, hasTokens } = spentIn(turns);
  const warnings: string[] = [];
  if (turns.length > 0 && limits.max_usd !== null && spent.usd === null) {
    warnings.push("run_limits.max_usd could not be checked: no turn has a price");
  }
  const hasTokenLimit = limits.max_input_tokens !== null || limits.max_output_tokens !== null || limits.max_total_tokens !== null;
  if (turns.length > 0 && hasTokenLimit && !hasTokens) {
    warnings.push("token limits could not be checked: the agent told no token counts");
  }
  return { breach: firstBreach(spent, hasTokens, limits), warnings };
}

/** Pure: sums over turns. */
export function spentIn(turns: readonly TurnRecord[]): { readonly spent: Spent; readonly hasTokens: boolean } {
  const usages = turns.flatMap(({ token_usage }) => (token_usage === null ? [] : [token_usage]));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const priced = usages.flatMap(({ total_cost_usd }) => (total_cost_usd === null ? [] : [total_cost_usd]));
  const spent = {
    uncachedInput: sum(usages.map((usage) => usage.uncached_input_tokens)),
    cacheCreation: sum(usages.map((usage) => usage.cache_creation_input_tokens)),
    cacheRead: sum(usages.map((usage) => usage.cache_read_input_tokens)),
    output: sum(usages.map((usage) => usage.output_tokens)),
    usd: priced.length === 0 ? null : sum(priced),
  };
  return { spent, hasTokens: usages.length > 0 };
}

export interface LimitFacts {
  readonly turns: readonly TurnRecord[];
  readonly limits: RunLimits;
  /** Why the agent was stopped, where it was. */
  readonly stopped: AgentStop | undefined;
}

export interface LimitVerdict {
  readonly end: AttemptEnd;
  readonly warnings: readonly string[];
}

/**
 * Pure: what a task's limits make of the verdict of its criteria, in this order: turns, a note on expected turns, budgets. Running out of
 * turns replaces only a failure; a budget that is exceeded replaces a success too (formats.md 5.8.4). An attempt that was not graded
 * stays as it is.
 */
export function applyLimits(end: AttemptEnd, { turns, limits, stopped }: LimitFacts): LimitVerdict {
  if (end.kind !== "graded") return { end, warnings: [] };
  const { weightedScore } = end;
  const ranOut = stopped?.kind === "max turns" || turns.at(-1)?.max_turns_exhausted === true;
  const budgets = checkBudgets(turns, limits);
  // What stopped it stands, even if the sums of the end are others.
  const breach = budgets.breach ?? (stopped?.kind === "budget" ? stopped : undefined);
  const warnings = [...expectedTurnsWarning(turns, limits), ...budgets.warnings];
  if (breach !== undefined) {
    const { budget, message } = breach;
    return { end: { kind: "budget exceeded", budget, message, weightedScore }, warnings };
  }
  return { end: ranOut && !end.passed ? { kind: "max turns", weightedScore } : end, warnings };
}

/** Tool calls and a final reply, as the row counts them (formats.md 6.1). */
function expectedTurnsWarning(turns: readonly TurnRecord[], { expected_turns }: RunLimits): string[] {
  const hasReply = turns.some((turn) => (turn.result_summary?.result ?? "").trim() !== "");
  const visible = turns.reduce((sum, { commands }) => sum + commands.length, 0) + (hasReply ? 1 : 0);
  if (expected_turns === null || visible <= expected_turns) return [];
  return [`the agent took ${visible} turns, ${expected_turns} were expected (run_limits.expected_turns)`];
}
