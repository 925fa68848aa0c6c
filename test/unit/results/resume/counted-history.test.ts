import assert from "node:assert/strict";
import test from "node:test";
import { countedOutcome } from "../../../../src/results/counted-outcome.ts";
import { criterionResultSchema } from "../../../../src/results/criterion-result.ts";
import type { EarlierAttempt } from "../../../../src/results/resume/attempt-history.ts";
import { beginAttempt, retireAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { joinAttempts } from "../../../../src/results/resume/earlier-attempts.ts";
import { serializeTaskResult } from "../../../../src/results/serialize-task-result.ts";
import { attemptFactsSchema, type EvaluationResult } from "../../../../src/results/task-result.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";
import { earlier, tried } from "../histories.ts";

// What the history of a row keeps for the numbers that go by its first graded attempt.

const at = new Date(Date.UTC(2026, 6, 7));

function write(
  dir: string,
  status: EvaluationResult["final_status"],
  score: number,
  history: { attempt: number; earlier: readonly EarlierAttempt[] },
) {
  const result = sampleResult({
    final_status: status,
    weighted_score: score,
    success_criteria_results: [criterionResultSchema.parse({ criterion_type: "file_exists", description: "there", score, error: null })],
    evalbatch: attemptFactsSchema.parse({ version: "1", attempt: history.attempt, earlier_attempts: history.earlier }),
  });
  put(dir, "task.json", serializeTaskResult(result));
}

test("of all attempts only the failed one by which the row counts keeps what its criteria gave", async () => {
  using root = temporaryDirectory();
  for (const [status, score] of [
    ["SUCCESS", 1],
    ["FAILURE", 0.5],
    ["FAILURE", 0.25],
  ] as const) {
    write(root.path, status, score, await beginAttempt(root.path, at));
  }
  const history = await beginAttempt(root.path, at);
  assert.deepEqual(
    history.earlier.map(({ status, weighted_score, criteria }) => [status, weighted_score, criteria?.map(({ score }) => score)]),
    [
      ["SUCCESS", 1, undefined],
      ["FAILURE", 0.5, [0.5]],
      ["FAILURE", 0.25, undefined],
    ],
  );
});

test("drift supersedes all that was before, for good; a failure after it counts again", async () => {
  using root = temporaryDirectory();
  write(root.path, "FAILURE", 0.5, await beginAttempt(root.path, at));
  await retireAttempt(root.path);
  const second = await beginAttempt(root.path, at);
  assert.deepEqual(
    second.earlier.map(({ status, superseded, criteria }) => [status, superseded, criteria]),
    [["FAILURE", true, undefined]],
  );
  assert.equal(countedOutcome(tried("SUCCESS", second.earlier)).status, "SUCCESS");
  write(root.path, "FAILURE", 0.75, second);
  const third = await beginAttempt(root.path, at);
  assert.deepEqual(
    third.earlier.map(({ superseded }) => superseded),
    [true, undefined],
  );
  assert.deepEqual([countedOutcome(tried("SUCCESS", third.earlier)).weighted_score], [0.75]);
});

test("however long a history grows, the failure by which its row counts stays in it", () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ ...earlier(index === 90 ? "FAILURE" : "ERROR"), attempt: index + 1 }));
  const kept = joinAttempts(many);
  assert.equal(kept.length, 50);
  assert.equal(countedOutcome({ ...tried("SUCCESS"), earlier_attempts: kept }).status, "FAILURE");
});

test("what a history claims of criteria is bounded", () => {
  const criterion = {
    criterion_type: "x".repeat(5000),
    score: 0,
    failed_to_check: false,
    observed_label: "y".repeat(5000),
    expected_label: null,
  };
  const [entry] = joinAttempts([earlier("FAILURE", { criteria: Array.from({ length: 5000 }, () => criterion) })]);
  assert.equal(entry?.criteria?.length, 1000);
  assert.ok((entry?.criteria?.[0]?.observed_label?.length ?? 0) <= 1000);
});
