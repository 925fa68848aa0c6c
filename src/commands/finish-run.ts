import { errorMessage, type Issue } from "../errors.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { experimentFiles } from "../report/experiment-files.ts";
import { renderRunHtml } from "../report/run-html.ts";
import { renderRunMarkdown } from "../report/run-markdown.ts";
import { suiteFiles } from "../report/suite-markdown.ts";
import { type ExperimentFacts, recordExperiment } from "../results/experiment/experiment-facts.ts";
import { variantDir } from "../results/experiment/write-experiment.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import { writeFingerprint } from "../results/fingerprint/fingerprint-file.ts";
import { keepStamps } from "../results/fingerprint/keep-stamps.ts";
import { environmentOf, withEnvironment } from "../results/fingerprint/with-environment.ts";
import { type GateEnd, judgeGate } from "../results/gate.ts";
import { rowKeyText } from "../results/layout.ts";
import { setAsideStaleReports } from "../results/resume/stale-reports.ts";
import { buildRunSummary } from "../results/run-summary.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { recordSelection, type Selection } from "../results/selection.ts";
import { suiteDir } from "../results/suites/suite-dir.ts";
import type { SuiteRollup } from "../results/suites/suite-rollup-schema.ts";
import { summarizeSuite } from "../results/suites/suite-summary.ts";
import type { SafeMarkdown } from "../untrusted/markdown.ts";
import type { Redactor } from "../untrusted/redact.ts";
import { version } from "../version.ts";
import { exitCodes } from "./exit-codes.ts";
import { redactIssue } from "./redact-issue.ts";
import type { Run } from "./run-context.ts";

export interface RunOutcome {
  readonly exitCode: number;
  readonly summary: RunSummary;
  readonly gate: GateEnd;
  /** Absolute. */
  readonly runDir: string;
  readonly markdown: SafeMarkdown;
  /** Of the plan, without secrets. */
  readonly findings: readonly Issue[];
  /** Knows every secret of the run. */
  readonly redactor: Redactor;
}

/**
 * Writes `run.json`, the reports and the joined log, and turns the run into an exit code. Reporting problems never change the verdict.
 * @param unstarted rows that were to be tried again and keep their old results
 */
export async function finishRun(run: Run, unstarted: readonly ResolvedTask[] = []): Promise<RunOutcome> {
  const { plan, deps, options, runDir, store, recorder } = run;
  const interrupted = deps.signal.aborted;
  recorder.close();
  const warnings = [...run.warnings, ...recorder.storageProblems].map((warning) => run.redactor.redact(warning).text);
  const rollups = suitesOf(run);
  const summary = buildRunSummary({
    runId: runDir.runId,
    startTime: run.startTime,
    endTime: deps.clock.now(),
    rows: recorder.rows(),
    skippedTasks: plan.skipped,
    notRun: recorder.notRun(),
    maxParallel: run.maxParallel,
    frameworkVersion: version,
    evalbatchVersion: version,
    environmentInfo: run.environmentInfo,
    versions: recorder.totals.versions,
    interrupted,
    warnings,
    redactions: run.redactor.total,
    gate: options.gate,
    suites: rollups.map(summarizeSuite),
    experiment: recordedExperiment(run),
    selection: recordedSelection(run),
    ...run.earlier,
  });
  const gate = judgeGate(summary, options.gate);
  const exitCode = exitCodeOf(gate, interrupted);
  const findings = plan.issues.map((issue) => redactIssue(issue, run.redactor));
  const ended = { summary, gate, runDir: runDir.path, findings, redactor: run.redactor };
  let markdown: SafeMarkdown | undefined;
  try {
    // Before anything is made of it: a stop may leave no time for the reports.
    await store.writeRun(summary);
    markdown = renderRunMarkdown(summary, recorder.totals);
    await store.writeReports({ markdown, html: renderRunHtml(summary, recorder.totals) });
    // Only now it is known which images and programs the rows met.
    if (!interrupted || unstarted.length > 0)
      await writeFingerprint(runDir.path, withEnvironment(fingerprintWith(run, unstarted), environmentOf(recorder.ranIn)));
    const lost = await store.writeSuites(suiteFiles(rollups));
    for (const problem of lost) deps.progress.warning(`the report of a suite could not be written: ${problem}`);
    const experiment = experimentFiles(summary);
    const unwritten = await store.writeExperiment(experiment);
    for (const problem of unwritten) deps.progress.warning(`a report of the experiment could not be written: ${problem}`);
    if (run.earlier.resume !== null) await tellStale(run, experiment?.variants ?? [], rollups);
    // Joining logs reads every one of them again; an interrupted run has seconds to live.
    if (!interrupted) await store.writeExperimentLog();
    return { ...ended, exitCode, markdown };
  } catch (error) {
    deps.progress.warning(`the run's reports could not be written: ${errorMessage(error)}`);
    // A verdict that nobody can look up is none, but an advisory run stops nobody.
    const lost = exitCode === exitCodes.passed && options.gate.failOn !== "never" ? exitCodes.failed : exitCode;
    return { ...ended, exitCode: lost, markdown: markdown ?? renderRunMarkdown(summary, recorder.totals) };
  }
}

const shownStale = 5;

/** Reports beside results of variants and suites that are not part of the run any more. */
async function tellStale(
  { runDir, deps }: Run,
  variants: readonly { readonly variantId: string }[],
  rollups: readonly SuiteRollup[],
): Promise<void> {
  const written = [
    ...variants.map(({ variantId }) => variantDir(variantId)),
    ...rollups.map((one) => suiteDir(one.variant_id, one.suite_id)),
  ];
  const moved = await setAsideStaleReports(runDir.path, new Set(written));
  if (moved.length === 0) return;
  const more = moved.length > shownStale ? ", …" : "";
  deps.progress.notice(
    `reports of variants or suites that are not part of this run are called *.previous now: ${moved.slice(0, shownStale).join(", ")}${more}`,
  );
}

/** What was written before anything ran took it for granted that they would run with what they are now. */
function fingerprintWith({ fingerprint, earlierFingerprint }: Run, unstarted: readonly ResolvedTask[]): Fingerprint {
  if (earlierFingerprint === undefined || unstarted.length === 0) return fingerprint;
  const keys = new Set(unstarted.map((task) => rowKeyText(task.variantId, task.taskId, task.replicateIndex)));
  return keepStamps(fingerprint, earlierFingerprint, (key) => keys.has(key));
}

/** The experiment as the files of the run name it. */
export function recordedExperiment({ plan, redactor }: Pick<Run, "plan" | "redactor">): ExperimentFacts | null {
  return recordExperiment(plan.experiment, (text) => redactor.redact(text).text);
}

/** What was drawn, as the files of the run record it. */
export function recordedSelection({ plan, redactor }: Pick<Run, "plan" | "redactor">): Selection | null {
  return recordSelection(plan, (text) => redactor.redact(text).text);
}

/** The suites of the run; rows that never ran are in them. */
function suitesOf(run: Run): SuiteRollup[] {
  const { suites } = run.recorder.totals;
  for (const row of run.recorder.absentRows((text) => run.redactor.redact(text).text)) suites.addAbsent(row);
  return suites.rollups();
}

/** Turns a run into an exit code. One that was cut short says so, whatever the policy. */
export function exitCodeOf(gate: GateEnd, interrupted: boolean): number {
  if (interrupted) return exitCodes.interrupted;
  return gate.passes ? exitCodes.passed : exitCodes.failed;
}
