import type { Criterion } from "../criterion-schema.ts";
import type { JudgedResult } from "../grade.ts";
import { armedCriteria, formOf, type StopSwitch } from "./armed.ts";

export interface GateRule {
  readonly stopEarly: StopSwitch;
  /** `run_limits.stop_early_gate_threshold`; undefined when the task gives none. */
  readonly gateThreshold: number | undefined;
}

/** How armed criteria are judged together. */
export interface Gate {
  /** Weighted score that is needed. */
  readonly threshold: number;
  /** Whether a run with these scores, one per armed criterion, passes. */
  readonly passes: (scores: readonly number[]) => boolean;
}

interface Gated {
  readonly weight: number;
  readonly pass_threshold: number;
}

/**
 * The weighted score of the armed criteria must reach the threshold (default 1). The older syntax without a threshold: every one of them
 * must pass (0.8.4–0.9.2).
 */
export function gateOf(armed: readonly Gated[], form: "block" | "older" | undefined, gateThreshold: number | undefined): Gate {
  const threshold = gateThreshold ?? 1;
  if (form === "older" && gateThreshold === undefined) {
    return { threshold, passes: (scores) => armed.every(({ pass_threshold }, index) => (scores[index] ?? 0) >= pass_threshold) };
  }
  const total = armed.reduce((sum, { weight }) => sum + weight, 0);
  const weightOf = (index: number): number => (total > 0 ? (armed[index]?.weight ?? 0) : 1);
  const whole = total > 0 ? total : armed.length;
  return { threshold, passes: (scores) => scores.reduce((sum, score, index) => sum + score * weightOf(index), 0) / whole >= threshold };
}

/**
 * The verdict on a run that was stopped early: its armed criteria decide alone (formats.md 2.1), the others could not be met yet.
 * `results` are those of all criteria, in their order.
 */
export function earlyStopVerdict(results: readonly JudgedResult[], criteria: readonly Criterion[], rule: GateRule): boolean {
  const armed = armedCriteria(criteria, rule.stopEarly);
  if (armed.length === 0 || results.length !== criteria.length) return false;
  const gate = gateOf(
    armed.map(({ criterion }) => criterion),
    formOf(criteria, rule.stopEarly),
    rule.gateThreshold,
  );
  return gate.passes(armed.map(({ index }) => results[index]?.score ?? 0));
}
