import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { finalStatuses } from "../../../src/results/final-status.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { type RowKey, rowKeyText } from "../../../src/results/layout.ts";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import { recoverResults } from "../../../src/results/recover.ts";
import { beginAttempt } from "../../../src/results/resume/begin-attempt.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { buildRunSummary, toRunRow } from "../../../src/results/run-summary.ts";
import type { NotRun } from "../../../src/results/run-summary-schema.ts";
import { openResultStore } from "../../../src/results/store.ts";
import type { EvaluationResult } from "../../../src/results/task-result.ts";
import { sampleResult, temporaryDirectory } from "./fixtures.ts";
import { attemptFacts } from "./resume/planned.ts";

interface Row extends RowKey {
  readonly tags: readonly string[];
  readonly taskPath: string | null;
  /** How each attempt of it ended. `none`: the row was never started; `killed`: it left nothing. */
  readonly ends: readonly ((typeof finalStatuses)[number] | "killed")[];
  readonly score: number | null;
  readonly seconds: number | null;
  readonly message: string | null;
}

const parts = ["a", "b", "task", "Task", "é", "日本", "😀", "x y", "-", "a.b", "run.json", "task.json", "00"];
const taskId = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }).map((some) => some.join("/"));

/** The rows of a run. No id is the directory of another one's attempts. */
const rows: fc.Arbitrary<Row[]> = fc
  .uniqueArray(
    fc.record({
      variantId: fc.constantFrom("default", "v2", "日本"),
      taskId,
      replicateIndex: fc.constantFrom(0, 1, 7, 100),
      tags: fc.array(fc.constantFrom("smoke", "area:files"), { maxLength: 2 }),
      taskPath: fc.option(fc.constantFrom("tasks/a.yaml", "./b c.yaml")),
      ends: fc.array(fc.constantFrom(...finalStatuses, "killed" as const), { maxLength: 3 }),
      score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      seconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      message: fc.option(fc.string({ unit: "binary", maxLength: 30 })),
    }),
    { selector: (row) => rowKeyText(row.variantId, row.taskId, row.replicateIndex), maxLength: 8 },
  )
  .filter((all) => new Set(all.map(dirOf)).size === all.length);

const dirOf = (row: RowKey) => `${row.variantId}/${row.taskId}/${String(row.replicateIndex).padStart(2, "0")}`;
const minute = (count: number) => new Date(Date.UTC(2026, 6, 7, 10, count));

/** Lets the attempts of a row happen one after the other; gives the result that is left, if any. */
async function live(
  row: Row,
  resultDir: string,
  write: (result: EvaluationResult) => Promise<unknown>,
): Promise<EvaluationResult | undefined> {
  let left: EvaluationResult | undefined;
  for (const [index, end] of row.ends.entries()) {
    const { attempt, earlier } = await beginAttempt(resultDir, minute(index));
    left = undefined;
    if (end === "killed") continue;
    left = sampleResult({
      task_id: row.taskId,
      variant_id: row.variantId,
      started_at: minute(index).toISOString(),
      completed_at: minute(index + 1).toISOString(),
      final_status: end,
      weighted_score: row.score,
      duration_seconds: row.seconds,
      error_message: row.message === null ? null : row.message.toWellFormed(),
      evalbatch: attemptFacts({ attempt, earlier_attempts: [...earlier], replicate_index: row.replicateIndex }),
    });
    await write(left);
  }
  return left;
}

test("what the store wrote is recovered as it was, and a run is rebuilt to the rows, order, counts and history that it had", async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      using root = temporaryDirectory();
      const store = await openResultStore(root.path, { now: () => new Date(0) });
      const startTime = minute(0);
      const facts = {
        startTime,
        maxParallel: 3,
        frameworkVersion: "x",
        evalbatchVersion: "x",
        environmentInfo: {},
        skippedTasks: [],
        gate: strictGate,
      };
      const planned = all.map(({ variantId, taskId: id, replicateIndex, tags, taskPath }) => ({
        task_id: id,
        variant_id: variantId,
        replicate_index: replicateIndex,
        tags: [...tags],
        task_path: taskPath,
      }));
      await store.writePlan({ ...facts, rows: planned });
      const written = new Map<string, EvaluationResult>();
      const expected: RunRow[] = [];
      const notRun: NotRun[] = [];
      for (const [index, row] of all.entries()) {
        const left = await live(row, store.resultDir(row), (result) => store.writeTaskResult(store.resultDir(row), result));
        const { task_id, variant_id, replicate_index } = planned[index] ?? assert.fail();
        if (left === undefined) {
          notRun.push({
            task_id,
            variant_id,
            replicate_index,
            reason: row.ends.length > 0 ? "interrupted while running" : "no result found",
          });
          continue;
        }
        written.set(`${dirOf(row)}/task.json`, left);
        const { replicateIndex, variantId, tags, taskPath } = row;
        expected.push(toRunRow(left, { replicateIndex, variantId, tags, taskPath, resultDir: dirOf(row) }));
      }

      const recovered = new Map<string, EvaluationResult>();
      for await (const entry of recoverResults(root.path)) {
        assert.ok(entry.kind === "result", JSON.stringify(entry));
        recovered.set(entry.path, entry.result);
      }
      assert.deepEqual(new Map([...recovered].sort()), new Map([...written].sort()));

      const { summary } = await rebuildSummary(root.path, { version: "x" });
      assert.deepEqual(summary.task_results, expected);
      const ran = buildRunSummary({
        ...facts,
        runId: store.runId,
        endTime: new Date(summary.end_time),
        rows: expected,
        notRun,
        interrupted: false,
      });
      assert.deepEqual({ ...summary, suites: [], warnings: [] }, ran);
      // Once more from the run.json that it gives, with the plan and without.
      await store.writeRun(summary);
      const again = (await rebuildSummary(root.path, { version: "x" })).summary;
      assert.deepEqual({ ...again, warnings: [] }, { ...summary, warnings: [] });
    }),
    { numRuns: 25 },
  );
});

test("the history of a row tells all of its attempts in order, whatever became of each", async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      using root = temporaryDirectory();
      const store = await openResultStore(root.path, { now: () => new Date(0) });
      for (const row of all) {
        const dir = join(root.path, "run", dirOf(row));
        await live(row, dir, (result) => store.writeTaskResult(dir, result));
        const { attempt, earlier } = await beginAttempt(dir, minute(9));
        assert.equal(attempt, row.ends.length + 1);
        assert.deepEqual(
          earlier.map((entry) => [entry.attempt, entry.status]),
          row.ends.map((end, index) => [index + 1, end === "killed" ? "INTERRUPTED" : end]),
        );
      }
    }),
    { numRuns: 15 },
  );
});
