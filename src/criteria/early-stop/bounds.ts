import { foundHere } from "../../python/regex-standalone.ts";
import { type CommandExecuted, countScore } from "../command-executed.ts";
import type { ToolCall } from "../criterion.ts";
import { type SkillTriggered, usesSkill } from "../skill-triggered.ts";
import { withTimeLimit } from "../time-limit.ts";
import { compileFilter, fits } from "../tool-calls/count-calls.ts";

/** What is known of a criterion's score while the agent works. */
export interface Bounds {
  /** If the run ended here. */
  readonly now: number;
  /** Whatever comes, the score will be within these. */
  readonly lowest: number;
  readonly highest: number;
  /** A pattern ran away: `now` does not tell either. */
  readonly unknown?: true;
}

/** Follows one criterion. To be asked with growing lists: a call that was seen is not read again, but its result may still come. */
export type Follow = (toolCalls: readonly ToolCall[]) => Bounds;

/** Milliseconds for the patterns of one call: this is the process that watches everything else, too. */
const searchLimitMs = 200;

export function followCount(criterion: CommandExecuted): Follow {
  const filter = compileFilter(criterion);
  if ("fault" in filter) return () => ({ now: 0, lowest: 0, highest: 0 });
  /** Whether tool and text fit, by call; ends where a pattern ran away: from there on nothing is known. */
  const fitting: boolean[] = [];
  let lost = false;
  const look = (call: ToolCall): boolean =>
    withTimeLimit("a pattern of a criterion", searchLimitMs, () => {
      const asked = fits(call, filter);
      let step = asked.next(false);
      while (step.done !== true) step = asked.next(foundHere(step.value.regex, step.value.text));
      return step.value;
    });
  return (toolCalls) => {
    for (const call of toolCalls.slice(fitting.length)) {
      if (lost) break;
      try {
        fitting.push(look(call));
      } catch {
        // Graded in full later, where it has more time: nothing is decided by it now.
        lost = true;
      }
    }
    const counted = toolCalls.filter(
      (call, index) => fitting[index] === true && (!criterion.require_success || call.result_status === "success"),
    );
    const now = countScore(counted.length, criterion);
    if (lost) return { now: 0, lowest: 0, highest: 1, unknown: true };
    if (criterion.max_count === null) return { now, lowest: now, highest: 1 };
    return counted.length > criterion.max_count ? { now: 0, lowest: 0, highest: 0 } : { now, lowest: 0, highest: 1 };
  };
}

export function followSkill({ expected_skill, skill_name }: SkillTriggered): Follow {
  const whenSeen = expected_skill === skill_name ? 1 : 0;
  let seen = false;
  let looked = 0;
  return (toolCalls) => {
    for (const call of toolCalls.slice(looked)) seen ||= usesSkill(call, skill_name);
    looked = toolCalls.length;
    return seen ? { now: whenSeen, lowest: whenSeen, highest: whenSeen } : { now: 1 - whenSeen, lowest: 0, highest: 1 };
  };
}
