import assert from "node:assert/strict";
import type { EvaluationResult } from "../../src/results/task-result.ts";

/** How a row ended, in one line: status and, where there is one, the category of the error. */
export function outcomeOf(result: EvaluationResult): string {
  const category = result.error_details?.error_category;
  return category === undefined ? result.final_status : `${result.final_status} ${category}`;
}

/** A row that ended so, with as many turns of the agent, each but the last one crashed, and a message where it failed. */
export function assertOutcome(result: EvaluationResult, expected: string, attempts: number | undefined): void {
  const said = `${result.task_id}: ${result.error_message ?? ""}`;
  assert.equal(outcomeOf(result), expected, said);
  if (attempts !== undefined) assert.equal(result.iterations.length, attempts, said);
  for (const turn of result.iterations.slice(0, -1)) assert.equal(turn.crashed, true, said);
  if (expected.includes(" ")) assert.ok((result.error_message ?? "") !== "", "an error has a message");
  assert.ok(result.iterations.every((turn) => turn.user_input !== ""));
}
