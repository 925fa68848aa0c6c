import { finalStatuses } from "../../../src/results/final-status.ts";
import { type GatePolicy, strictGate } from "../../../src/results/gate.ts";
import { type RunRow, runRowSchema } from "../../../src/results/run-row.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import type { SuiteSummary } from "../../../src/results/suites/suite-summary.ts";

type Status = RunRow["status"];

export function rowsOf(counts: Partial<Record<Status, number>>, score: number | null = 1): RunRow[] {
  return finalStatuses.flatMap((status) =>
    Array.from({ length: counts[status] ?? 0 }, (_, index) => rowOf(status, score, `${status.toLowerCase()}-${index}`)),
  );
}

export function rowOf(status: Status, score: number | null, taskId = "t", message: string | null = null): RunRow {
  return { ...runRowSchema.parse({ task_id: taskId, status }), weighted_score: score, error_message: message };
}

export interface Scenario {
  readonly rows?: readonly RunRow[];
  readonly notRun?: number;
  readonly invalid?: number;
  readonly unreadable?: number;
  readonly interrupted?: boolean;
  readonly suites?: readonly SuiteSummary[];
}

export function runOf(scenario: Scenario, gate?: GatePolicy): RunSummary {
  return buildRunSummary({
    runId: "r",
    startTime: new Date(0),
    endTime: new Date(1000),
    rows: scenario.rows ?? [],
    skippedTasks: Array.from({ length: scenario.invalid ?? 0 }, () => ({ path: "x.yaml", reason: "bad", kind: "invalid" as const })),
    notRun: Array.from({ length: scenario.notRun ?? 0 }, () => ({
      task_id: "n",
      variant_id: "default",
      replicate_index: 0,
      reason: "cancelled",
    })),
    unreadable: Array.from({ length: scenario.unreadable ?? 0 }, () => ({ path: "t/task.json", reason: "empty" })),
    maxParallel: 1,
    frameworkVersion: "1",
    environmentInfo: {},
    interrupted: scenario.interrupted ?? false,
    suites: scenario.suites,
    gate,
  });
}

export const policy = (changes: Partial<GatePolicy>): GatePolicy => ({ ...strictGate, ...changes });
