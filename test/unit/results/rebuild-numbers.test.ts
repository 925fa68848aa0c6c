import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { criterionResultSchema } from "../../../src/results/criterion-result.ts";
import { buildExperimentResult } from "../../../src/results/experiment/build-experiment.ts";
import { finalStatuses } from "../../../src/results/final-status.ts";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import { beginAttempt, retireAttempt } from "../../../src/results/resume/begin-attempt.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import { createRunTotals } from "../../../src/results/run-totals.ts";
import { openResultStore, type ResultStore } from "../../../src/results/store.ts";
import { summarizeSuite } from "../../../src/results/suites/suite-summary.ts";
import { attemptFactsSchema, type EvaluationResult } from "../../../src/results/task-result.ts";
import { toRunRow } from "../../../src/results/task-to-row.ts";
import { sampleResult, temporaryDirectory } from "./fixtures.ts";
import { policy } from "./gate-runs.ts";

const gate = policy({ minPassRate: 0.5, minTaskScore: 0.4 });
const startTime = new Date(Date.UTC(2026, 6, 7, 10));
const success_criteria = [{ type: "file_exists", description: "there", suite_thresholds: { mean: 0.6 } }];

interface Try {
  readonly status: EvaluationResult["final_status"];
  readonly score: number;
  /** What becomes of it: another attempt follows, after drift, or after a kill that left nothing. */
  readonly end: "result" | "killed" | "drift";
}

interface Row {
  readonly taskId: string;
  readonly variantId: string;
  readonly replicateIndex: number;
  readonly tries: readonly Try[];
}

const anyTry: fc.Arbitrary<Try> = fc.record({
  status: fc.constantFrom(...finalStatuses),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  end: fc.constantFrom("result", "result", "killed", "drift"),
});

const anyRows: fc.Arbitrary<readonly Row[]> = fc.uniqueArray(
  fc.record({
    taskId: fc.constantFrom("s/1", "s/2", "t"),
    variantId: fc.constantFrom("a", "b"),
    replicateIndex: fc.nat({ max: 2 }),
    tries: fc.array(anyTry, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 8, selector: ({ taskId, variantId, replicateIndex }) => `${variantId} ${taskId} ${replicateIndex}` },
);

function resultOf(
  { taskId, variantId, replicateIndex }: Row,
  { status, score }: Try,
  history: { attempt: number; earlier: readonly object[] },
): EvaluationResult {
  const isRow = taskId.startsWith("s/");
  const graded = ["SUCCESS", "FAILURE", "MAX_TURNS_EXHAUSTED"].includes(status);
  const [suite_id, row_id] = isRow ? ["s", taskId.slice(2)] : [null, null];
  return sampleResult({
    task_id: taskId,
    variant_id: variantId,
    final_status: status,
    weighted_score: graded ? score : null,
    error_message: status === "ERROR" ? "it broke" : null,
    started_at: startTime.toISOString(),
    completed_at: startTime.toISOString(),
    success_criteria_results: graded ? [criterionResultSchema.parse({ criterion_type: "file_exists", description: "there", score })] : [],
    task_config: {
      resolved: isRow ? { suite_id, row_id, success_criteria } : { success_criteria },
      source_yaml: "",
      source_file: null,
      lineage: {},
    },
    evalbatch: attemptFactsSchema.parse({
      version: "1",
      replicate_index: replicateIndex,
      suite_id,
      row_id,
      attempt: history.attempt,
      earlier_attempts: history.earlier,
    }),
  });
}

/** Makes all attempts of a row, one after the other, as runs and resumes do; gives the last result. */
async function attemptsOf(row: Row, store: ResultStore): Promise<EvaluationResult> {
  const dir = store.resultDir(row);
  for (const one of row.tries.slice(0, -1)) {
    const history = await beginAttempt(dir, startTime);
    if (one.end === "killed") continue;
    await store.writeTaskResult(dir, resultOf(row, one, history));
    if (one.end === "drift") await retireAttempt(dir);
  }
  const last = row.tries.at(-1);
  assert.ok(last !== undefined);
  const result = resultOf(row, last, await beginAttempt(dir, startTime));
  await store.writeTaskResult(dir, result);
  return result;
}

async function runOf(runDir: string, planned: readonly Row[]): Promise<RunSummary> {
  const store = await openResultStore(runDir, { now: () => startTime });
  await store.writePlan({
    ...{ startTime, maxParallel: 1, frameworkVersion: "1", evalbatchVersion: "1", environmentInfo: {}, gate, skippedTasks: [] },
    rows: planned.map(({ taskId, variantId, replicateIndex }) => ({
      ...{ task_id: taskId, variant_id: variantId, replicate_index: replicateIndex, tags: [], task_path: null },
      suite_id: taskId.startsWith("s/") ? "s" : null,
    })),
  });
  const totals = createRunTotals();
  const rows: RunRow[] = [];
  for (const [order, row] of planned.entries()) {
    const result = await attemptsOf(row, store);
    const { replicateIndex, variantId } = row;
    const resultDir = store.resultDir(row).slice(store.runDir.length + 1);
    rows.push(toRunRow(result, { replicateIndex, variantId, tags: [], taskPath: null, resultDir }));
    totals.add(result, rows.at(-1) ?? assert.fail(), order);
  }
  const summary = buildRunSummary({
    ...{ runId: store.runId, startTime, endTime: startTime, rows, skippedTasks: [], notRun: [], maxParallel: 1, interrupted: false },
    ...{ frameworkVersion: "1", evalbatchVersion: "1", environmentInfo: {}, versions: totals.versions, gate },
    suites: totals.suites.rollups().map(summarizeSuite),
  });
  await store.writeRun(summary);
  return summary;
}

const numbersOf = (summary: RunSummary) => {
  const { warnings: _warnings, ...rest } = summary;
  const byRow = (row: RunRow) => [
    row.variant_id,
    row.task_id,
    row.replicate_index,
    row.status,
    row.weighted_score,
    row.attempt,
    row.earlier_attempts,
  ];
  const figures = buildExperimentResult({
    ...{ experimentId: "e", description: "", variantIds: ["a", "b"], durationSeconds: 0 },
    rows: summary.task_results,
  });
  return { ...rest, task_results: summary.task_results.map(byRow), figures };
};

test("a rebuild gives the numbers of the run, from its task.json files alone too, whatever was tried how often", async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, async (planned) => {
      using root = temporaryDirectory();
      const runDir = join(root.path, "run");
      const written = numbersOf(await runOf(runDir, planned));
      assert.deepEqual(numbersOf((await rebuildSummary(runDir, { version: "1" })).summary), written);
      // As after a kill: only the plan and the results are left.
      rmSync(join(runDir, "run.json"));
      const fromResults = numbersOf((await rebuildSummary(runDir, { version: "1" })).summary);
      assert.deepEqual(fromResults, written);
    }),
    { numRuns: 25 },
  );
});
