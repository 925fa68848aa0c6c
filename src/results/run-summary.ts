import { InternalError } from "../errors.ts";
import { passedOnRetry } from "./counted-outcome.ts";
import type { ExperimentFacts } from "./experiment/experiment-facts.ts";
import type { DriftEntry } from "./fingerprint/drift-schema.ts";
import { type GatePolicy, judgeGate, strictGate } from "./gate.ts";
import { recordGate } from "./gate-policy.ts";
import { type GateFacts, verdictOf } from "./gate-reasons.ts";
import { thousands } from "./gate-text.ts";
import { passRateInterval } from "./pass-rate-interval.ts";
import type { ReportedVersions } from "./reported-versions.ts";
import type { ResumeFacts, SetAside } from "./resume/resume-facts.ts";
import type { RunRow } from "./run-row.ts";
import type { NotRun, RunSummary, SkippedTask, Unreadable } from "./run-summary-schema.ts";
import type { Selection } from "./selection.ts";
import { assistantTurns, countForRate, countRows, errorShare, passRate, passRateOf, runCost } from "./statistics.ts";
import type { SuiteSummary } from "./suites/suite-summary.ts";
import type { AnyObject } from "./tolerant.ts";
import { reconcileVersions, withVersions } from "./versions.ts";

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
  /** What was asked of the run; undefined where nobody did: its verdict is then as if everything had to pass. */
  readonly gate?: GatePolicy | undefined;
  /** Places at which a secret was hidden. */
  readonly redactions?: number | undefined;
  readonly suites?: readonly SuiteSummary[] | undefined;
  /** Null or undefined where no experiment file was given. */
  readonly experiment?: ExperimentFacts | null | undefined;
  readonly selection?: Selection | null | undefined;
  /** Null or undefined for a run from scratch. */
  readonly resume?: ResumeFacts | null | undefined;
  readonly drift?: readonly DriftEntry[] | undefined;
  readonly setAside?: readonly SetAside[] | undefined;
}

/** `run.json` of a finished, interrupted or rebuilt run. Pure. */
export function buildRunSummary(facts: RunFacts): RunSummary {
  const counts = countRows(facts.rows);
  const cost = runCost(facts.rows);
  const judgedOn: GateFacts = {
    tasks_run: counts.run,
    tasks_succeeded: counts.succeeded,
    tasks_failed: counts.failed,
    tasks_error: counts.error,
    tasks_not_graded: counts.notGraded,
    tasks_not_run: facts.notRun.length,
    skipped_tasks: [...facts.skippedTasks],
    task_results: [...facts.rows],
    interrupted: facts.interrupted,
    unreadable: [...(facts.unreadable ?? [])],
    suites: [...(facts.suites ?? [])],
  };
  const { succeeded, graded, errors } = countForRate(facts.rows);
  const planned = counts.run + facts.notRun.length;
  const judged = verdictOf(judgedOn, facts.gate ?? strictGate);
  const { info, drift } =
    facts.versions === undefined
      ? { info: facts.environmentInfo, drift: facts.drift ?? [] }
      : withVersions(reconcileVersions(facts.environmentInfo, facts.versions), facts.drift ?? []);
  const summary: RunSummary = {
    run_id: facts.runId,
    start_time: facts.startTime.toISOString(),
    end_time: facts.endTime.toISOString(),
    total_duration_seconds: Math.max(0, facts.endTime.getTime() - facts.startTime.getTime()) / 1000,
    tasks_run: judgedOn.tasks_run,
    tasks_succeeded: judgedOn.tasks_succeeded,
    tasks_failed: judgedOn.tasks_failed,
    tasks_error: judgedOn.tasks_error,
    tasks_not_graded: judgedOn.tasks_not_graded,
    tasks_measured: counts.measured,
    tasks_token_budget_exceeded: counts.tokenBudget,
    tasks_cost_budget_exceeded: counts.costBudget,
    skipped_tasks: judgedOn.skipped_tasks,
    max_parallel: facts.maxParallel,
    task_results: judgedOn.task_results,
    framework_version: facts.frameworkVersion,
    environment_info: info,
    tasks_graded: counts.graded,
    pass_rate: passRateOf(judgedOn).rate ?? null,
    error_share: errorShare(counts) ?? null,
    tasks_cost_incomplete: cost.incomplete,
    cost_complete: cost.incomplete === 0,
    agent_cost_usd: cost.agent ?? null,
    eval_overhead_cost_usd: cost.overhead ?? null,
    total_cost_usd: cost.total ?? null,
    evalbatch_version: facts.evalbatchVersion ?? null,
    verdict: judged.verdict,
    verdict_reasons: [...judged.reasons],
    tasks_planned: planned,
    tasks_not_run: judgedOn.tasks_not_run,
    not_run: [...facts.notRun],
    interrupted: judgedOn.interrupted,
    unreadable: judgedOn.unreadable,
    // A rebuild hands in those of the old summary.
    warnings: [...new Set([...(facts.warnings ?? []), ...usageWarnings(facts.rows)])],
    gate: facts.gate === undefined ? null : recordGate(facts.gate, judgeGate(judgedOn, facts.gate)),
    redactions: facts.redactions ?? 0,
    suites: judgedOn.suites,
    experiment: facts.experiment ?? null,
    selection: facts.selection ?? null,
    resume: facts.resume ?? null,
    drift: [...drift],
    set_aside: [...(facts.setAside ?? [])],
    tasks_passed_on_retry: facts.rows.filter(passedOnRetry).length,
    pass_rate_interval: passRateInterval(facts.rows),
    pass_rate_planned: passRate({ succeeded, graded: planned }) ?? null,
    pass_rate_without_errors: passRate({ succeeded, graded: graded - errors }) ?? null,
  };
  const wrong = bucketProblem(summary);
  if (wrong !== undefined) throw new InternalError(`the summary of run ${facts.runId} does not add up: ${wrong}`);
  return summary;
}

function usageWarnings(rows: readonly RunRow[]): string[] {
  const silent = rows.filter((row) => (row.total_tokens ?? 0) === 0 && !row.cost_complete && assistantTurns(row) > 0).length;
  if (silent === 0) return [];
  return [`${silent === 1 ? "1 agent" : `${thousands(silent)} agents`} answered and told no tokens: what that cost is not known`];
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
