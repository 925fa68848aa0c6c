import type { ToolCall } from "../criterion.ts";
import type { Criterion } from "../criterion-schema.ts";
import { type Armed, armedCriteria, formOf } from "./armed.ts";
import type { Bounds } from "./bounds.ts";
import { type GateRule, gateOf } from "./gate.ts";

/** Why a run ends before its agent does (formats.md 5.6). */
export interface EarlyStopFound {
  readonly reason: "criterion_passed" | "criterion_failed" | "decision_budget_exceeded";
  readonly deciding_criterion_type: string;
  readonly deciding_criterion_description: string;
  /** Their types. */
  readonly armed_criteria: string[];
  /** Calls of the model so far. */
  readonly sdk_turn_index: number;
  /** Of the last tool call, from 0. */
  readonly tool_call_index: number;
  readonly elapsed_seconds: number;
  readonly turns_remaining_at_stop: number | null;
  readonly gate_threshold: number;
}

export interface EarlyStopRule extends GateRule {
  readonly maxTurns: number | undefined;
  readonly startedMs: number;
  readonly nowMs: () => number;
}

export interface EarlyStop {
  /** Nothing is armed: there is no need to ask. */
  readonly isArmed: boolean;
  /** To be asked after every tool call and every result, with all calls so far. Gives the reason to stop, if there is one. Never throws. */
  decide(toolCalls: readonly ToolCall[], facts: { readonly modelCalls: number }): EarlyStopFound | undefined;
}

type State = "open" | "passed" | "failed";

interface Standing {
  readonly armed: Armed;
  readonly bounds: Bounds;
  readonly state: State;
  /** It was the budget that decided it. */
  readonly byBudget: boolean;
}

/**
 * Watches the armed criteria of a run (formats.md 2.3). It ends
 * - as failed, when a criterion that ends runs by failing cannot pass any more and the armed ones cannot reach the gate any more;
 * - as passed, when a criterion that ends runs by passing has passed for good and all armed ones as they stand reach the gate.
 * With `decide_within` a criterion that is still open after so many calls counts as it stands. Pure but for the clock that it is given.
 */
export function createEarlyStop(criteria: readonly Criterion[], rule: EarlyStopRule): EarlyStop {
  const armed = armedCriteria(criteria, rule.stopEarly);
  const gate = gateOf(
    armed.map(({ criterion }) => criterion),
    formOf(criteria, rule.stopEarly),
    rule.gateThreshold,
  );
  /** What had been decided when it was last asked: the newest decision is the one that tips the scale. */
  let known: ReadonlySet<number> = new Set();

  const stopAt = (toolCalls: readonly ToolCall[]): Standing | undefined => {
    const standings = armed.map((one) => standingOf(one, toolCalls));
    const newest = (state: State, stops: (one: Armed) => boolean): Standing | undefined => {
      const decided = standings.filter((standing) => standing.state === state && stops(standing.armed));
      return decided.find(({ armed: { index } }) => !known.has(index)) ?? decided[0];
    };
    const failed = newest("failed", ({ stopsOnFail }) => stopsOnFail);
    const passed = newest("passed", ({ stopsOnPass }) => stopsOnPass);
    known = new Set(standings.filter(({ state }) => state !== "open").map((standing) => standing.armed.index));
    const atBest = standings.map(({ bounds, byBudget, state }) => (byBudget || state === "failed" ? bounds.now : bounds.highest));
    if (failed !== undefined && !gate.passes(atBest)) return failed;
    return passed !== undefined && gate.passes(standings.map(({ bounds }) => bounds.now)) ? passed : undefined;
  };

  return {
    isArmed: armed.length > 0,
    decide(toolCalls, { modelCalls }) {
      // Before the first call there is nothing that a stop would save.
      if (armed.length === 0 || toolCalls.length === 0) return undefined;
      const standing = stopAt(toolCalls);
      if (standing === undefined) return undefined;
      const { criterion } = standing.armed;
      const verdict = standing.state === "passed" ? "criterion_passed" : "criterion_failed";
      return {
        reason: standing.byBudget ? "decision_budget_exceeded" : verdict,
        deciding_criterion_type: criterion.type,
        deciding_criterion_description: criterion.description,
        armed_criteria: armed.map((one) => one.criterion.type),
        sdk_turn_index: modelCalls,
        tool_call_index: toolCalls.length - 1,
        elapsed_seconds: Math.max(0, rule.nowMs() - rule.startedMs) / 1_000,
        turns_remaining_at_stop: rule.maxTurns === undefined ? null : Math.max(0, rule.maxTurns - modelCalls),
        gate_threshold: gate.threshold,
      };
    },
  };
}

function standingOf(armed: Armed, toolCalls: readonly ToolCall[]): Standing {
  const bounds = armed.follow(toolCalls);
  const { pass_threshold: threshold } = armed.criterion;
  if (bounds.lowest >= threshold) return { armed, bounds, state: "passed", byBudget: false };
  if (bounds.highest < threshold) return { armed, bounds, state: "failed", byBudget: false };
  if (bounds.unknown || !isSpent(armed.decideWithin, toolCalls)) return { armed, bounds, state: "open", byBudget: false };
  return { armed, bounds, state: bounds.now >= threshold ? "passed" : "failed", byBudget: true };
}

/** The budget's last call counts in full: its result is waited for, unless another call comes first. */
function isSpent(budget: number | undefined, toolCalls: readonly ToolCall[]): boolean {
  if (budget === undefined || toolCalls.length < budget) return false;
  return toolCalls.length > budget || toolCalls.at(-1)?.result_status !== null;
}
