import { InternalError } from "../errors.ts";
import type { RunRow } from "./run-row.ts";
import type { NotRun, RunSummary, RunVerdict, SkippedTask, Unreadable } from "./run-summary-schema.ts";
import { countRows, errorShare, passRate, type RunCounts, runCost } from "./statistics.ts";
import type { AnyObject } from "./tolerant.ts";
import { type ReportedVersions, reconcileVersions } from "./versions.ts";

export { type RowMeta, toRunRow } from "./task-to-row.ts";

export interface RunFacts {
  readonly runId: string;
  readonly startTime: Date;
  readonly endTime: Date;
  /** In the order in which they shall stand in `run.json`: the plan's. */
  readonly rows: readonly RunRow[];
  readonly skippedTasks: readonly SkippedTask[];
  /** Planned rows that never started, each with its reason. */
  readonly notRun: readonly NotRun[];
  readonly maxParallel: number;
  readonly frameworkVersion: string;
  /** Version of evalbatch; null where another tool wrote the run. */
  readonly evalbatchVersion?: string | null | undefined;
  /** Versions on the host. */
  readonly environmentInfo: AnyObject;
  /** What the tasks reported; without it the host's versions stay. */
  readonly versions?: ReportedVersions | undefined;
  readonly interrupted: boolean;
  readonly unreadable?: readonly Unreadable[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** `run.json` of a finished, interrupted or rebuilt run. Pure. */
export function buildRunSummary(facts: RunFacts): RunSummary {
  const counts = countRows(facts.rows);
  const cost = runCost(facts.rows);
  const unreadable = [...(facts.unreadable ?? [])];
  const { info, warnings } =
    facts.versions === undefined ? { info: facts.environmentInfo, warnings: [] } : reconcileVersions(facts.environmentInfo, facts.versions);
  const judged = judge(counts, facts, unreadable.length);
  const summary: RunSummary = {
    run_id: facts.runId,
    start_time: facts.startTime.toISOString(),
    end_time: facts.endTime.toISOString(),
    total_duration_seconds: Math.max(0, facts.endTime.getTime() - facts.startTime.getTime()) / 1000,
    tasks_run: counts.run,
    tasks_succeeded: counts.succeeded,
    tasks_failed: counts.failed,
    tasks_error: counts.error,
    tasks_not_graded: counts.notGraded,
    tasks_measured: counts.measured,
    tasks_token_budget_exceeded: counts.tokenBudget,
    tasks_cost_budget_exceeded: counts.costBudget,
    skipped_tasks: [...facts.skippedTasks],
    max_parallel: facts.maxParallel,
    task_results: [...facts.rows],
    framework_version: facts.frameworkVersion,
    environment_info: info,
    tasks_graded: counts.graded,
    pass_rate: passRate(counts) ?? null,
    error_share: errorShare(counts) ?? null,
    tasks_cost_incomplete: cost.incomplete,
    cost_complete: cost.incomplete === 0,
    agent_cost_usd: cost.agent ?? null,
    eval_overhead_cost_usd: cost.overhead ?? null,
    total_cost_usd: cost.total ?? null,
    evalbatch_version: facts.evalbatchVersion ?? null,
    verdict: judged.verdict,
    verdict_reasons: judged.reasons,
    tasks_planned: counts.run + facts.notRun.length,
    tasks_not_run: facts.notRun.length,
    not_run: [...facts.notRun],
    interrupted: facts.interrupted,
    unreadable,
    warnings: [...(facts.warnings ?? []), ...warnings],
  };
  const wrong = bucketProblem(summary);
  if (wrong !== undefined) throw new InternalError(`the summary of run ${facts.runId} does not add up: ${wrong}`);
  return summary;
}

/** What does not add up in a summary, if anything. Files of other writers are held to it too. */
export function bucketProblem(summary: RunSummary): string | undefined {
  const { tasks_succeeded, tasks_failed, tasks_error, tasks_not_graded, tasks_run } = summary;
  const total = tasks_succeeded + tasks_failed + tasks_error + tasks_not_graded;
  if (total !== tasks_run) return `${total} tasks in the categories, ${tasks_run} in tasks_run`;
  if (summary.task_results.length !== tasks_run) return `${summary.task_results.length} rows, ${tasks_run} in tasks_run`;
  const counted = countRows(summary.task_results);
  if (counted.succeeded !== tasks_succeeded) return `${counted.succeeded} rows succeeded, ${tasks_succeeded} in tasks_succeeded`;
  if (counted.failed !== tasks_failed) return `${counted.failed} rows failed, ${tasks_failed} in tasks_failed`;
  if (counted.error !== tasks_error) return `${counted.error} rows ended in errors, ${tasks_error} in tasks_error`;
  if (summary.not_run.length !== summary.tasks_not_run)
    return `${summary.not_run.length} rows not run, ${summary.tasks_not_run} in tasks_not_run`;
  if (summary.tasks_planned !== null && summary.tasks_planned !== tasks_run + summary.tasks_not_run) {
    return `${tasks_run} run and ${summary.tasks_not_run} not run, ${summary.tasks_planned} in tasks_planned`;
  }
  return undefined;
}

/** The verdict and each thing that keeps it from `passed`. A certain failure outweighs an open end. */
function judge(
  counts: RunCounts,
  facts: Pick<RunFacts, "notRun" | "skippedTasks" | "interrupted">,
  unreadable: number,
): { verdict: RunVerdict; reasons: string[] } {
  const invalid = facts.skippedTasks.filter((task) => task.kind === "invalid").length;
  const failures = [
    phrase(counts.failed, "task failed", "tasks failed"),
    phrase(counts.error, "task ended in an error", "tasks ended in an error"),
    phrase(invalid, "task file could not be loaded", "task files could not be loaded"),
    phrase(unreadable, "result could not be used", "results could not be used"),
  ].flat();
  const openEnds = [
    phrase(facts.notRun.length, "task was not run", "tasks were not run"),
    phrase(counts.notGraded, "task was not graded", "tasks were not graded"),
    facts.interrupted ? ["the run was interrupted"] : [],
  ].flat();
  const reasons = [...failures, ...openEnds];
  if (failures.length > 0) return { verdict: "failed", reasons };
  if (openEnds.length > 0) return { verdict: "incomplete", reasons };
  return counts.run === 0 ? { verdict: "empty", reasons: ["there was no task to run"] } : { verdict: "passed", reasons };
}

function phrase(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
