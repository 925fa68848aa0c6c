import type { GateEnd, GatePolicy } from "./gate-policy.ts";
import { type GateFacts, type Reason, reasonsOf } from "./gate-reasons.ts";

export { failOnWords, type GateEnd, type GatePolicy, strictGate } from "./gate-policy.ts";

/**
 * Holds a run against a policy: the rule that turns a run into the exit code.
 *
 * | reason | `failure` | `error` | `never` |
 * |---|---|---|---|
 * | a task failed; a suite misses a threshold of its task file | fails | – | – |
 * | an error; a file that could not be loaded; a result that could not be used | fails | fails | – |
 * | not run, not graded | fails | fails | – |
 * | a threshold that was given is missed | fails | fails | – |
 * | nothing was run, without `allowEmpty` | fails | fails | – |
 * | the run was interrupted | fails | fails | fails |
 *
 * With `minPassRate`, failed tasks and errors are misses of the rate and nothing more, unless every task ended in an error: then
 * nothing was measured. A missed suite is no miss of the rate and keeps failing. `failOn: "error"` asks for no error besides. `minTaskScore` is asked in addition: a task that failed
 * with a high score still failed, and one that passed below it still misses it. Pure.
 */
export function judgeGate(summary: GateFacts, policy: GatePolicy): GateEnd {
  const reasons: string[] = [];
  const tolerated: string[] = [];
  for (const reason of reasonsOf(summary, policy)) (failsStep(reason, policy) ? reasons : tolerated).push(reason.text);
  return { passes: reasons.length === 0, reasons, tolerated };
}

function failsStep({ kind, inRate }: Reason, { failOn, allowEmpty }: GatePolicy): boolean {
  if (kind === "interrupted") return true;
  if (failOn === "never" || (kind === "empty" && allowEmpty)) return false;
  return failOn === "error" ? kind !== "failure" : !inRate;
}
