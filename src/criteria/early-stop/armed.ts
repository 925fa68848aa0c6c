import type { Criterion } from "../criterion-schema.ts";
import { type Follow, followCount, followSkill } from "./bounds.ts";

/** A criterion that may end the run, in either syntax (formats.md 2.3). */
export interface Armed {
  readonly criterion: LiveCriterion;
  /** Position among the task's criteria. */
  readonly index: number;
  /** The run may end when it is met for good. */
  readonly stopsOnPass: boolean;
  /** The run may end when it cannot be met any more. */
  readonly stopsOnFail: boolean;
  /** Tool calls after which it counts as decided. */
  readonly decideWithin: number | undefined;
  readonly follow: Follow;
}

type LiveCriterion = Extract<Criterion, { type: "command_executed" | "skill_triggered" }>;

/** `run_limits.stop_early`: `false` switches blocks off (0.9.5+), `true` switches `stop_when` on (0.8.4–0.9.4). */
export type StopSwitch = boolean | null | undefined;

/** Which syntax is at work; undefined when nothing can end the run early. */
export function formOf(criteria: readonly Criterion[], stopEarly: StopSwitch): "block" | "older" | undefined {
  if (stopEarly === false) return undefined;
  if (criteria.some((criterion) => isLive(criterion) && criterion.stop_early)) return "block";
  const older = stopEarly === true && criteria.some((criterion) => isLive(criterion) && criterion.stop_when);
  return older ? "older" : undefined;
}

/** The armed ones, in their order. Each call gives followers of its own. */
export function armedCriteria(criteria: readonly Criterion[], stopEarly: StopSwitch): readonly Armed[] {
  const form = formOf(criteria, stopEarly);
  if (form === undefined) return [];
  return criteria.flatMap((criterion, index): Armed[] => {
    if (!isLive(criterion)) return [];
    const { stop_early: block, stop_when: when } = criterion;
    if (form === "block" && block !== null && block !== undefined) {
      const decideWithin = block.decide_within ?? undefined;
      return [{ criterion, index, stopsOnPass: block.on_pass === "stop", stopsOnFail: true, decideWithin, follow: followerOf(criterion) }];
    }
    if (form === "older" && when !== null && when !== undefined) {
      // `auto` (0.8.10+) leaves the direction to the criterion: whichever it can be decided in.
      const stopsOnPass = when !== "fail";
      const stopsOnFail = when !== "pass";
      return [{ criterion, index, stopsOnPass, stopsOnFail, decideWithin: undefined, follow: followerOf(criterion) }];
    }
    return [];
  });
}

function isLive(criterion: Criterion): criterion is LiveCriterion {
  return criterion.type === "command_executed" || criterion.type === "skill_triggered";
}

function followerOf(criterion: LiveCriterion): Follow {
  return criterion.type === "command_executed" ? followCount(criterion) : followSkill(criterion);
}
