import assert from "node:assert/strict";
import test from "node:test";
import { type CommentPlace, commentFileSchema, commentFileText } from "../../../src/github/comment-file.ts";
import { rowsOf, runOf } from "../results/gate-runs.ts";

const place: CommentPlace = {
  repository: "octo-org/evals",
  number: 7,
  headSha: "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
  runId: "42",
  runAttempt: 2,
  key: '["key","evals"]',
};

test("comment.json has the place, the verdict and numbers, and nothing that a task wrote", () => {
  const written: unknown = JSON.parse(commentFileText(place, runOf({ rows: rowsOf({ SUCCESS: 3, FAILURE: 1 }), notRun: 1 })));
  assert.deepEqual(written, {
    version: 1,
    repository: "octo-org/evals",
    pull_request: 7,
    head_sha: place.headSha,
    run_id: "42",
    run_attempt: 2,
    key: place.key,
    verdict: "failed",
    tasks_planned: 5,
    tasks_run: 4,
    tasks_succeeded: 3,
    tasks_failed: 1,
    tasks_error: 0,
    tasks_not_run: 1,
    pass_rate: 0.75,
  });
  assert.deepEqual(commentFileSchema.parse(written), written);
});

test("a file that somebody else wrote is refused by its schema", () => {
  const good = JSON.parse(commentFileText({ ...place, runId: undefined }, runOf({})));
  assert.equal(commentFileSchema.safeParse(good).success, true);
  for (const wrong of [
    { version: 2 },
    { pull_request: "7" },
    { head_sha: "main" },
    { verdict: "great" },
    { tasks_run: -1 },
    { tasks_failed: 0.5 },
  ])
    assert.equal(commentFileSchema.safeParse({ ...good, ...wrong }).success, false, JSON.stringify(wrong));
});
