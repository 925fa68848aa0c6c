import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { type FinalStatus, finalStatuses } from "../../../src/results/final-status.ts";
import { compareWithPrevious, encodeRows, maxDigestChars } from "../../../src/results/row-digest.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";

const sha = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3";

function runOf(statuses: Readonly<Record<string, FinalStatus>>, day = 1, notRun: readonly string[] = []): RunSummary {
  const startTime = new Date(Date.UTC(2026, 0, day));
  return buildRunSummary({
    runId: "results",
    startTime,
    endTime: new Date(startTime.getTime() + 90_000),
    rows: Object.entries(statuses).map(([id, status]) =>
      runRowSchema.parse({ task_id: id, status, variant_id: "default", replicate_index: 0, total_cost_usd: 0.25 }),
    ),
    skippedTasks: [],
    notRun: notRun.map((id) => ({ task_id: id, variant_id: "default", replicate_index: 0, reason: "cancelled" })),
    maxParallel: 1,
    frameworkVersion: "x",
    environmentInfo: {},
    interrupted: false,
  });
}

const names = (rows: readonly { readonly task_id: string }[] | undefined) => rows?.map((row) => row.task_id);

const many = (count: number, status: FinalStatus, prefix = "t") =>
  Object.fromEntries(Array.from({ length: count }, (_, index): [string, FinalStatus] => [`${prefix}${index}`, status]));

test("two runs are compared row by row", () => {
  const before = runOf({ broke: "SUCCESS", fixed: "TIMEOUT", still: "ERROR", same: "SUCCESS", gone: "SUCCESS", late: "NOT_GRADED" }, 1, [
    "waited",
  ]);
  const now = runOf(
    { broke: "ERROR", fixed: "SUCCESS", still: "FAILURE", same: "SUCCESS", late: "FAILURE", waited: "SUCCESS", fresh: "FAILURE" },
    2,
  );
  const changes = compareWithPrevious(encodeRows(before, sha), now);
  assert.deepEqual(names(changes?.newlyFailing), ["broke"]);
  assert.deepEqual(names(changes?.fixed), ["fixed"]);
  assert.equal(changes?.stillFailing, 1);
  assert.deepEqual(changes.finished, { all: 2, failing: 1 });
  assert.equal(changes.added, 1);
  assert.equal(changes.removed, 1);
  assert.equal(changes.compared, "all");
  assert.deepEqual(changes.previous, { sha, passRate: 3 / 5, cost: 1.5, seconds: 90, attempt: undefined });
});

/** `statuses`: by variant and task, those of the replicates. */
function experimentOf(
  statuses: Readonly<Record<string, Readonly<Record<string, readonly (FinalStatus | "not run")[]>>>>,
  day: number,
): RunSummary {
  const rows = Object.entries(statuses).flatMap(([variant_id, tasks]) =>
    Object.entries(tasks).flatMap(([task_id, of]) =>
      of.map((status, replicate_index) => ({ task_id, variant_id, replicate_index, status })),
    ),
  );
  const startTime = new Date(Date.UTC(2026, 0, day));
  return buildRunSummary({
    runId: "results",
    startTime,
    endTime: startTime,
    rows: rows.filter(({ status }) => status !== "not run").map((row) => runRowSchema.parse(row)),
    skippedTasks: [],
    notRun: rows.filter(({ status }) => status === "not run").map(({ status: reason, ...row }) => ({ ...row, reason })),
    maxParallel: 1,
    frameworkVersion: "x",
    environmentInfo: {},
    interrupted: false,
  });
}

test("a task of two variants is two tasks", () => {
  const before = experimentOf({ a: { t: ["SUCCESS"] }, b: { t: ["SUCCESS"] } }, 1);
  const now = experimentOf({ a: { t: ["SUCCESS"] }, b: { t: ["FAILURE"] }, c: { t: ["SUCCESS"] } }, 2);
  const changes = compareWithPrevious(encodeRows(before, sha), now);
  assert.deepEqual(
    changes?.newlyFailing.map(({ variant_id, task_id }) => [variant_id, task_id]),
    [["b", "t"]],
  );
  assert.deepEqual([changes?.fixed.length, changes?.stillFailing, changes?.added, changes?.removed], [0, 0, 1, 0]);
});

test("the replicates of a task are one: which of them fails is chance", () => {
  const before = experimentOf(
    { a: { flaky: ["FAILURE", "SUCCESS"], good: ["SUCCESS", "SUCCESS"], bad: ["ERROR", "FAILURE"], late: ["SUCCESS", "not run"] } },
    1,
  );
  const now = experimentOf(
    { a: { flaky: ["SUCCESS", "FAILURE"], good: ["SUCCESS", "TIMEOUT"], bad: ["SUCCESS", "SUCCESS"], late: ["SUCCESS", "FAILURE"] } },
    2,
  );
  const changes = compareWithPrevious(encodeRows(before, sha), now);
  assert.deepEqual(names(changes?.newlyFailing), ["good"]);
  assert.deepEqual(names(changes?.fixed), ["bad"]);
  assert.deepEqual([changes?.stillFailing, changes?.added, changes?.removed], [1, 0, 0]);
});

test("another number of replicates is no other task", () => {
  const before = experimentOf({ default: { t: ["SUCCESS"] } }, 1);
  const now = experimentOf({ default: { t: ["SUCCESS", "SUCCESS", "FAILURE"] } }, 2);
  const changes = compareWithPrevious(encodeRows(before, sha), now);
  assert.deepEqual(names(changes?.newlyFailing), ["t"]);
  assert.deepEqual([changes?.added, changes?.removed], [0, 0]);
});

test("what is written is short text without a name of a task, a variant or a file in it", () => {
  const text = encodeRows(runOf({ "secret-plan": "FAILURE", "other-plan": "SUCCESS" }), sha);
  assert.match(text, /^[\w-]+$/);
  assert.doesNotMatch(inflateRawSync(Buffer.from(text, "base64url")).toString(), /plan"|secret|other|default/);
});

test("a run compared with itself has not changed: nothing is said", () => {
  const run = runOf({ a: "FAILURE" });
  assert.equal(compareWithPrevious(encodeRows(run, sha), run), undefined);
});

test("2,000 rows are remembered one by one", () => {
  const text = encodeRows(runOf({ ...many(1000, "SUCCESS"), ...many(1000, "FAILURE", "f") }), sha);
  assert.ok(text.length <= maxDigestChars);
  const changes = compareWithPrevious(text, runOf({ ...many(1000, "ERROR"), ...many(1000, "SUCCESS", "f") }, 2));
  assert.equal(changes?.compared, "all");
  assert.equal(changes.newlyFailing.length, 1000);
  assert.equal(changes.fixed.length, 1000);
  assert.equal(changes.added, 0);
});

test("of a run that is too large only the misses are remembered, and it says so", () => {
  const text = encodeRows(runOf({ ...many(9000, "SUCCESS"), ...many(10, "FAILURE", "f") }), sha);
  assert.ok(text.length <= maxDigestChars);
  const changes = compareWithPrevious(text, runOf({ t1: "FAILURE", f1: "SUCCESS", f2: "ERROR", t2: "SUCCESS" }, 2));
  assert.equal(changes?.compared, "missed");
  assert.deepEqual(names(changes.newlyFailing), ["t1"]);
  assert.deepEqual(names(changes.fixed), ["f1"]);
  assert.equal(changes.stillFailing, 1);
  assert.equal(changes.added, undefined);
  assert.equal(changes.removed, undefined);
});

test("of a run with too many misses its figures are remembered alone", () => {
  const text = encodeRows(runOf(many(9000, "FAILURE")), sha);
  assert.ok(text.length < 1000);
  const changes = compareWithPrevious(text, runOf({ t1: "FAILURE", t2: "SUCCESS" }, 2));
  assert.equal(changes?.compared, "none");
  assert.deepEqual([changes.newlyFailing, changes.fixed, changes.stillFailing], [[], [], 0]);
  assert.deepEqual(changes.previous, { sha, passRate: 0, cost: 2250, seconds: 90, attempt: undefined });
});

test("a commit of the wrong shape is left out", () => {
  const text = encodeRows(runOf({ a: "FAILURE" }), "main");
  const changes = compareWithPrevious(text, runOf({ a: "FAILURE" }, 2));
  assert.deepEqual([changes?.stillFailing, changes?.previous.sha], [1, undefined]);
});

/** Data as somebody else would write it. */
const forged = (change: (written: Record<string, unknown>) => unknown): string => {
  const written: unknown = JSON.parse(inflateRawSync(Buffer.from(encodeRows(runOf({ a: "SUCCESS" }), sha), "base64url")).toString());
  assert.ok(typeof written === "object" && written !== null);
  return deflateRawSync(JSON.stringify(change({ ...written }))).toString("base64url");
};

test("data that was tampered with is no data", () => {
  const now = runOf({ a: "FAILURE" }, 2);
  assert.equal(
    names(
      compareWithPrevious(
        forged((written) => written),
        now,
      )?.newlyFailing,
    )?.length,
    1,
  );
  const tampered: ((written: Record<string, unknown>) => unknown)[] = [
    (written) => ({ ...written, v: 2 }),
    (written) => ({ ...written, sha: "[x](https://evil.example)" }),
    (written) => ({ ...written, rate: 2 }),
    (written) => ({ ...written, cost: -1 }),
    (written) => ({ ...written, kept: "some" }),
    (written) => ({ ...written, passed: "abc" }),
    () => null,
    () => [],
  ];
  for (const change of tampered) assert.equal(compareWithPrevious(forged(change), now), undefined);
});

test("data that swells beyond what a run can be is no data", () => {
  const bomb = forged((written) => ({ ...written, passed: "00000000".repeat(1_000_000) }));
  assert.ok(bomb.length < maxDigestChars);
  assert.equal(compareWithPrevious(bomb, runOf({ a: "FAILURE" }, 2)), undefined);
});

test("no data is no change", () => {
  assert.equal(compareWithPrevious(undefined, runOf({})), undefined);
});

test("garbage never throws", () => {
  const run = runOf({ a: "FAILURE" });
  const bytes = fc.uint8Array({ maxLength: 300 }).map((data) => Buffer.from(data).toString("base64url"));
  const deflated = fc.json().map((json) => deflateRawSync(json).toString("base64url"));
  fc.assert(fc.property(fc.oneof(fc.string(), bytes, deflated), (data) => assert.equal(compareWithPrevious(data, run), undefined)));
});

test("whatever two runs were, what is told of them is what happened", () => {
  const statuses = fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), fc.constantFrom(...finalStatuses), {
    maxKeys: 30,
    noNullPrototype: true,
  });
  const missed = (status: FinalStatus | undefined) => status !== undefined && status !== "SUCCESS" && status !== "NOT_GRADED";
  fc.assert(
    fc.property(statuses, statuses, (before, now) => {
      const was = (id: string) => (Object.hasOwn(before, id) ? before[id] : undefined);
      const ids = Object.keys(now);
      const changes = compareWithPrevious(encodeRows(runOf(before, 1), sha), runOf(now, 2));
      assert.deepEqual(
        names(changes?.newlyFailing),
        ids.filter((id) => missed(now[id]) && was(id) === "SUCCESS"),
      );
      assert.deepEqual(
        names(changes?.fixed),
        ids.filter((id) => now[id] === "SUCCESS" && missed(was(id))),
      );
      assert.equal(changes?.stillFailing, ids.filter((id) => missed(now[id]) && missed(was(id))).length);
      assert.equal(changes.added, ids.filter((id) => was(id) === undefined).length);
      assert.equal(changes.removed, Object.keys(before).filter((id) => !Object.hasOwn(now, id)).length);
    }),
  );
});
