import { join } from "node:path";
import { EnvironmentError } from "../errors.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { createReportedVersions, type ReportedVersions } from "../results/reported-versions.ts";
import type { RunRow } from "../results/run-row.ts";
import { toRunRow } from "../results/run-summary.ts";
import type { NotRun } from "../results/run-summary-schema.ts";
import { createRunTotals, type RunTotals } from "../results/run-totals.ts";
import type { ResultStore } from "../results/store.ts";
import type { AbsentRow } from "../results/suites/suite-totals.ts";
import type { EvaluationResult } from "../results/task-result.ts";
import { absentRows } from "./absent-rows.ts";
import type { BatchStore } from "./batch.ts";

/** Keeps what a batch records: each result on disk at once, in memory only its row. */
export interface RunRecorder extends BatchStore<ResolvedTask, EvaluationResult> {
  /** Takes over the result of an earlier attempt. Its file stays as it is. */
  addKept(task: ResolvedTask, index: number, result: EvaluationResult): void;
  has(index: number): boolean;
  /** Rows in plan order. */
  rows(): RunRow[];
  /**
   * Planned rows without a result, in plan order. Rows that nothing was heard of (the batch was given up while they ran)
   * are listed too: no row is ever silently absent.
   */
  notRun(): NotRun[];
  /** Rows of datasets without a result, in plan order; texts that come from the plan are cleaned. */
  absentRows(clean: (text: string) => string): AbsentRow[];
  /** What comes from here on is dropped: the run is being written. */
  close(): void;
  readonly totals: RunTotals;
  /** What the rows that ran now, and were not taken over, told of versions. */
  readonly ranIn: ReportedVersions;
  /** Why some results could not be kept on disk. */
  readonly storageProblems: readonly string[];
  /** The disk was full for one of them. */
  readonly isDiskFull: () => boolean;
}

export interface RecorderOptions {
  readonly tasks: readonly ResolvedTask[];
  readonly store: Pick<ResultStore, "writeTaskResult">;
  readonly runDir: string;
}

export function createRunRecorder(options: RecorderOptions): RunRecorder {
  const rows = new Map<number, RunRow>();
  const reasons = new Map<number, string>();
  const totals = createRunTotals();
  const ranIn = createReportedVersions();
  const storageProblems: string[] = [];
  let closed = false;
  let isDiskFull = false;
  const add = (task: ResolvedTask, index: number, result: EvaluationResult, kept: boolean): void => {
    const { replicateIndex, variantId, taskFile: taskPath, resultDir } = task;
    const row = toRunRow(result, { replicateIndex, variantId, tags: task.task.tags, taskPath, resultDir, kept });
    rows.set(index, row);
    totals.add(result, row, index);
    if (!kept) ranIn.add(result);
  };

  return {
    totals,
    ranIn,
    storageProblems,
    isDiskFull: () => isDiskFull,
    close() {
      closed = true;
    },
    async addResult(task, index, result) {
      // `run.json` lists this row as interrupted already: a file that says otherwise must not appear after it.
      if (closed) return;
      add(task, index, result, false);
      try {
        await options.store.writeTaskResult(join(options.runDir, task.resultDir), result);
      } catch (error) {
        // The row is known and stays; only its file is missing.
        if (!(error instanceof EnvironmentError)) throw error;
        isDiskFull ||= error.code === "disk-full";
        storageProblems.push(`${task.key}: ${error.message}`);
      }
    },
    addKept: (task, index, result) => add(task, index, result, true),
    has: (index) => rows.has(index),
    addNotRun: async (_task, index, reason) => void reasons.set(index, reason),
    rows: () => [...rows].sort(([a], [b]) => a - b).map(([, row]) => row),
    notRun: () =>
      options.tasks.flatMap((task, index) => {
        if (rows.has(index)) return [];
        const reason = reasons.get(index) ?? "interrupted while running";
        return [{ task_id: task.taskId, variant_id: task.variantId, replicate_index: task.replicateIndex, reason }];
      }),
    absentRows: (clean) => absentRows(options.tasks, (index) => rows.has(index), clean),
  };
}
