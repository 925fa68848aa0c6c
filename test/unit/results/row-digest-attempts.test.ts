import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { resumeFactsSchema } from "../../../src/results/resume/resume-facts.ts";
import { compareWithPrevious, encodeRows } from "../../../src/results/row-digest.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";

/** One run whose directory and start stay, as a resume leaves them. */
function attemptOf(rows: readonly Readonly<Record<string, unknown>>[], attempt: number, notRun: readonly string[] = []): RunSummary {
  const startTime = new Date(Date.UTC(2026, 0, 1));
  return buildRunSummary({
    runId: "results",
    startTime,
    endTime: new Date(startTime.getTime() + 90_000),
    rows: rows.map((row) => runRowSchema.parse({ variant_id: "default", replicate_index: 0, ...row })),
    skippedTasks: [],
    notRun: notRun.map((id) => ({ task_id: id, variant_id: "default", replicate_index: 0, reason: "cancelled" })),
    maxParallel: 1,
    frameworkVersion: "x",
    environmentInfo: {},
    interrupted: false,
    resume: attempt === 1 ? null : resumeFactsSchema.parse({ attempt, source: {}, reasons: {} }),
  });
}

const retried = (id: string, before: string) => ({
  task_id: id,
  status: "SUCCESS",
  attempt: 2,
  earlier_attempts: [{ attempt: 1, status: before, weighted_score: null, started_at: null, duration_seconds: null, reason: "x" }],
});

const first = attemptOf(
  [
    { task_id: "passed", status: "SUCCESS" },
    { task_id: "broken", status: "ERROR" },
    { task_id: "failed", status: "FAILURE" },
    { task_id: "stays", status: "FAILURE" },
  ],
  1,
  ["waited", "waited too"],
);

const second = attemptOf(
  [
    { task_id: "passed", status: "SUCCESS", kept: true },
    retried("broken", "ERROR"),
    retried("failed", "FAILURE"),
    { task_id: "stays", status: "FAILURE", kept: true },
    { task_id: "waited", status: "SUCCESS" },
    { task_id: "waited too", status: "FAILURE" },
  ],
  2,
);

test("a resumed attempt is compared with the attempt before, and what passed too late is neither fixed nor failing", () => {
  const changes = compareWithPrevious(encodeRows(first, undefined), second, 1);
  assert.equal(changes?.previous.attempt, 1);
  assert.deepEqual(
    changes.fixed.map(({ task_id }) => task_id),
    ["broken"],
  );
  assert.equal(changes.passedOnRetry, 1);
  assert.equal(changes.stillFailing, 1);
  assert.deepEqual(changes.finished, { all: 2, failing: 1 });
  assert.deepEqual([changes.newlyFailing, changes.added, changes.removed], [[], 0, 0]);
});

test("a resumed attempt that is reported twice has not changed", () => {
  assert.equal(compareWithPrevious(encodeRows(second, undefined), second), undefined);
});

test("the time of a run that did the rest of another is not compared", () => {
  assert.equal(compareWithPrevious(encodeRows(first, undefined), second)?.previous.seconds, 90);
  assert.equal(compareWithPrevious(encodeRows(second, undefined), attemptOf([], 3))?.previous.seconds, undefined);
});

test("what an older version remembered is read", () => {
  const data: unknown = JSON.parse(inflateRawSync(Buffer.from(encodeRows(first, undefined), "base64url")).toString());
  assert.deepEqual(Object.keys(data ?? {}), ["v", "run", "sha", "rate", "cost", "seconds", "kept", "passed", "missed", "open"]);
  const older = deflateRawSync(JSON.stringify(data)).toString("base64url");
  assert.equal(compareWithPrevious(older, second)?.compared, "all");
});
