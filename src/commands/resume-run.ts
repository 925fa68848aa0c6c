import { rename } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../errors.ts";
import { storageError, systemCode } from "../results/atomic-file.ts";
import { compareFingerprints } from "../results/fingerprint/compare-fingerprints.ts";
import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import { driftLine } from "../results/fingerprint/drift-text.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import { keepStamps } from "../results/fingerprint/keep-stamps.ts";
import { redactFingerprint } from "../results/fingerprint/redact-fingerprint.ts";
import { fileNames, rowKeyText } from "../results/layout.ts";
import { type Partition, partitionRows, type RowDecision } from "../results/resume/partition.ts";
import type { ResumeFacts } from "../results/resume/resume-facts.ts";
import { cleanSetAside } from "./clean-kept.ts";
import type { EarlierPart, ResumeRequest, RowToRun } from "./earlier-part.ts";
import type { EarlierRun } from "./earlier-run.ts";
import { createStampJudge } from "./judge-stamps.ts";
import type { Run } from "./run-context.ts";

/** What a run takes over, and what is left to do. */
export interface Continued extends EarlierPart {
  readonly todo: readonly RowToRun[];
  /** Rows that are kept carry what they were made with. */
  readonly fingerprint: Fingerprint;
  /** That of the execution before. */
  readonly earlierFingerprint: Fingerprint | undefined;
  readonly warnings: readonly string[];
}

type Continuing = Pick<Run, "deps" | "plan" | "recorder" | "redactor" | "stamps" | "fingerprint">;

/** A run from scratch: every row is to run. */
export function startAfresh({ plan, fingerprint }: Pick<Continuing, "plan" | "fingerprint">): Continued {
  const todo = plan.tasks.map((task, index) => ({ task, index, fallback: false }));
  return { resume: null, drift: [], setAside: [], todo, fingerprint, earlierFingerprint: undefined, warnings: [] };
}

/**
 * Continues an earlier execution: compares what it was made with, takes over its results and tells what is left to run (formats.md 8.3).
 * @param confirm asked before anything is touched; may throw
 * @throws InputError `drift` where the user wants none, and then nothing was touched; EnvironmentError; InterruptedError
 */
export async function continueRun(
  earlier: EarlierRun,
  request: ResumeRequest,
  run: Continuing,
  confirm: (rowsToRun: number) => Promise<void> = async () => {},
): Promise<Continued> {
  const { plan, recorder, deps } = run;
  const runDir = earlier.runDir.path;
  const found = earlier.fingerprint.kind === "fingerprint" ? earlier.fingerprint.fingerprint : undefined;
  const prior = found === undefined ? undefined : redactFingerprint(found, (text) => run.redactor.redact(text).text);
  const compared = prior === undefined ? undefined : compareFingerprints(prior, run.fingerprint);
  const rows = plan.tasks.map((task) => ({
    key: rowKeyText(task.variantId, task.taskId, task.replicateIndex),
    digest: run.stamps.of(task).digest,
  }));
  const judge = createStampJudge(prior, compared);
  const foreign = new Set<number>();
  const kept = new Set<string>();
  const drift: DriftEntry[] = [];

  /** Of rows that are made anew there is nothing to be told, unless an attempt before counts in the pass rate all the same. */
  const noteDrift = (decisions: readonly RowDecision[], counted: ReadonlySet<number>): void => {
    const withResult = new Set<string>();
    const made: number[] = [];
    for (const [index, decision] of decisions.entries()) {
      if (decision.kind === "run" && decision.reason !== "drift" && !counted.has(index)) continue;
      if (foreign.has(index)) made.push(index);
      const { key } = rows[index] ?? { key: "" };
      if (judge.misattributed.has(key)) continue;
      if (decision.kind === "keep") kept.add(key);
      withResult.add(key);
    }
    const told = prior === undefined ? [] : compareFingerprints(prior, run.fingerprint, (key) => withResult.has(key)).entries;
    // A run is continued in its own directory, however it is spelt.
    drift.push(...foreignDrift(made, run), ...told.filter(({ field }) => field !== "run_dir"));
  };

  const partition = await partitionRows(plan.tasks, {
    runDir,
    retry: request.retry,
    isStale: (index, result) => {
      const row = rows[index];
      const verdict = row === undefined ? "same" : judge.judge(row, result);
      if (verdict === "foreign") foreign.add(index);
      return request.onDrift === "rerun" && verdict !== "same";
    },
    onKept: (index, result) => {
      const task = plan.tasks[index];
      if (task !== undefined) recorder.addKept(task, index, result);
    },
    async approve(decisions, counted) {
      noteDrift(decisions, counted);
      refuseDrift(drift, request, runDir);
      await confirm(decisions.filter(({ kind }) => kind === "run").length);
      await setAsideReports(runDir);
    },
    signal: deps.signal,
  });
  // Results of other tasks stay, and a later execution may be asked for them.
  const planned = new Set(rows.map(({ key }) => key));
  return {
    resume: factsOf(earlier, request, partition.decisions),
    drift,
    setAside: cleanSetAside(partition.setAside, run.redactor),
    todo: todoOf(partition, run),
    fingerprint: prior === undefined ? run.fingerprint : keepStamps(run.fingerprint, prior, (key) => kept.has(key) || !planned.has(key)),
    earlierFingerprint: prior,
    warnings: [...unreadableStamp(earlier), ...partition.warnings],
  };
}

function unreadableStamp({ fingerprint }: EarlierRun): string[] {
  if (fingerprint.kind !== "unreadable") return [];
  return [`${fileNames.fingerprint} could not be read, so nothing tells whether settings have changed since: ${fingerprint.reason}`];
}

function refuseDrift(drift: readonly DriftEntry[], { onDrift }: ResumeRequest, runDir: string): void {
  const grave = drift.filter(({ benign }) => !benign);
  if (onDrift !== "fail" || grave.length === 0) return;
  throw new InputError(
    grave.map((entry) => ({ severity: "error", code: "drift", message: `changed since the earlier attempt: ${driftLine(entry)}` })),
    { hint: `nothing was run, and ${runDir} is as it was: undo the change, run in another directory, or let on-drift be warn or rerun` },
  );
}

function todoOf({ decisions }: Partition, { plan }: Continuing): RowToRun[] {
  return plan.tasks.flatMap((task, index) => {
    const decision = decisions[index];
    return decision?.kind === "run" ? [{ task, index, fallback: decision.fallback }] : [];
  });
}

const tasksNamed = 5;

function foreignDrift(foreign: readonly number[], { plan }: Continuing): DriftEntry[] {
  if (foreign.length === 0) return [];
  const tasks = foreign.slice(0, tasksNamed).flatMap((index) => plan.tasks[index]?.taskId ?? []);
  const texts = { field: "stamp of the result", before: "of another run, or of one that was killed", now: "of this run" };
  return [{ kind: "content", ...texts, set_by: null, benign: false, rows: foreign.length, tasks }];
}

/** What is told of the run as a whole. */
const reports = [fileNames.run, fileNames.markdown, fileNames.html, fileNames.experiment, fileNames.experimentMarkdown];

/** Until the new ones are written, nobody shall take the old ones for the state of the run. */
async function setAsideReports(runDir: string): Promise<void> {
  for (const name of reports) {
    const path = join(runDir, name);
    try {
      await rename(path, `${path}.previous`);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw storageError(error, path);
    }
  }
}

function factsOf({ prior }: EarlierRun, request: ResumeRequest, decisions: readonly RowDecision[]): ResumeFacts {
  const reasons: Record<string, number> = {};
  for (const decision of decisions) if (decision.kind === "run") reasons[decision.reason] = (reasons[decision.reason] ?? 0) + 1;
  const toRun = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  return {
    attempt: (prior.plan?.resume?.attempt ?? 1) + 1,
    source: request.source,
    retry: request.retry,
    on_drift: request.onDrift,
    rows_kept: decisions.length - toRun,
    rows_to_run: toRun,
    reasons,
    earlier_start_time: prior.startTime?.toISOString() ?? null,
    earlier_end_time: prior.endTime?.toISOString() ?? null,
  };
}
