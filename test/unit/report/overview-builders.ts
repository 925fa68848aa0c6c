import type { OverviewFacts } from "../../../src/report/overview.ts";
import type { CriterionResult } from "../../../src/results/criterion-result.ts";
import { criterionResultSchema } from "../../../src/results/criterion-result.ts";
import { type GatePolicy, judgeGate, strictGate } from "../../../src/results/gate.ts";
import { compareWithPrevious, encodeRows } from "../../../src/results/row-digest.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { buildRunSummary, type RunFacts, toRunRow } from "../../../src/results/run-summary.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import type { EvaluationResult } from "../../../src/results/task-result.ts";
import { sampleResult } from "../results/fixtures.ts";

// Runs built as the product builds them, with what a job knows around them.

const start = new Date("2026-07-07T10:00:00Z");
export const runUrl = "https://github.com/acme/agent/actions/runs/19283746";
const artifact = { name: "evalbatch-evals-1", url: `${runUrl}/artifacts/5544332211` };
const shaNow = "3f8a1c0d9be24f5a6c7d8e9f0a1b2c3d4e5f6a7b";
const shaBefore = "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3";

export function criterion(overrides: Partial<CriterionResult> & Pick<CriterionResult, "criterion_type">): CriterionResult {
  return criterionResultSchema.parse({ score: 1, pass_threshold: 1, ...overrides });
}

type Attempt = Partial<EvaluationResult> & { readonly cost?: number | undefined; readonly replicate?: number | undefined };

/** One row, from a result as a run records it. */
export function attempt(taskId: string, overrides: Attempt = {}): RunRow {
  const { cost, replicate, ...fields } = overrides;
  const row = toRunRow(sampleResult({ task_id: taskId, ...fields }), {
    replicateIndex: replicate ?? 0,
    variantId: "default",
    tags: [],
    taskPath: `evals/${taskId}.yaml`,
    resultDir: `default/${taskId}/${String(replicate ?? 0).padStart(2, "0")}`,
  });
  return cost === undefined ? row : { ...row, agent_cost_usd: cost, total_cost_usd: cost };
}

export function summaryOf(rows: readonly RunRow[], overrides: Partial<RunFacts> = {}): RunSummary {
  return buildRunSummary({
    runId: "2026-07-07_10-00-00",
    startTime: start,
    endTime: new Date(start.getTime() + 185_000),
    rows,
    skippedTasks: [],
    notRun: [],
    maxParallel: 4,
    frameworkVersion: "0.1.0",
    evalbatchVersion: "0.1.0",
    environmentInfo: { evalbatch: "0.1.0" },
    interrupted: false,
    gate: strictGate,
    ...overrides,
  });
}

/** What the last comment remembers of an earlier run of these rows. */
function memoryOf(rows: readonly RunRow[]): string {
  const startTime = new Date(start.getTime() - 86_400_000);
  const summary = summaryOf(rows, { runId: "2026-07-06_10-00-00", startTime, endTime: new Date(startTime.getTime() + 121_000) });
  return encodeRows(summary, shaBefore);
}

export function factsOf(
  summary: RunSummary,
  overrides: Partial<OverviewFacts> & {
    policy?: GatePolicy | undefined;
    before?: readonly RunRow[] | undefined;
    beforeAttempt?: number;
  } = {},
): OverviewFacts {
  const { policy, before, beforeAttempt, ...rest } = overrides;
  return {
    summary,
    gate: judgeGate(summary, policy ?? strictGate),
    changes: before === undefined ? undefined : compareWithPrevious(memoryOf(before), summary, beforeAttempt),
    artifact,
    runUrl,
    commit: shaNow,
    attempt: 1,
    title: "evals",
    rerunFlags: ["--driver docker"],
    redactions: 0,
    notes: [],
    ...rest,
  };
}
