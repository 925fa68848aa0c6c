import assert from "node:assert/strict";
import test from "node:test";
import { gradeTask, verdictOf, weightedScore } from "../../src/criteria/grade.ts";
import { checkGolden } from "./golden/check-golden.ts";
import { commonDifferences } from "./golden/criteria-differences.ts";
import { goldenRows } from "./golden/criteria-rows.ts";
import { startTempdir } from "./golden/tempdir.ts";

test("in a directory every criterion scores, passes and explains as in coder_eval 0.8.2, but for the listed differences", async (t) => {
  await using sandbox = await startTempdir();
  await checkGolden(t, sandbox, commonDifferences);
});

test("weighted scores are those of coder_eval, but a success of informational criteria does not score 0", async () => {
  await using sandbox = await startTempdir();
  // `final_status` and `weighted_score` of the two tasks in the same run of coder_eval 0.8.2.
  const golden = { weights: 0.7111000000000001, "all-zero-weights": 0 };
  const ours = { ...golden, "all-zero-weights": 1 };
  for (const task of ["weights", "all-zero-weights"] as const) {
    const criteria = goldenRows()
      .filter((row) => row.task === task)
      .map((row) => row.criterion);
    const results = await gradeTask(criteria, { sandbox, commandEnv: {}, signal: new AbortController().signal });
    assert.equal(weightedScore(results, criteria), ours[task], task);
    assert.equal(verdictOf(results, criteria), true, task);
  }
});
