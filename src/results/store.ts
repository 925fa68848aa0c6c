import { lstat, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorMessage } from "../errors.ts";
import { makeDirectory, writeFileAtomic } from "./atomic-file.ts";
import { type ExperimentFiles, writeExperimentFiles } from "./experiment/write-experiment.ts";
import { writeExperimentLog } from "./experiment-log.ts";
import { fileNames, type RowKey, resultDirOf } from "./layout.ts";
import { planChunks, type RunPlan } from "./plan-file.ts";
import { runJsonChunks } from "./run-json.ts";
import type { RunSummary } from "./run-summary-schema.ts";
import { serializeTaskResult } from "./serialize-task-result.ts";
import { type SuiteFile, writeSuiteFiles } from "./suites/write-suites.ts";
import type { EvaluationResult } from "./task-result.ts";

export interface StoreDeps {
  /** Local time of day of log headers. */
  readonly now: () => Date;
}

export interface RunReports {
  readonly markdown: string;
  /** A self-contained page; left out when absent. */
  readonly html?: string | undefined;
}

/** The files of one run. Every write is whole or absent, and throws EnvironmentError (`disk-full`, `cannot-write`) when the disk refuses. */
export interface ResultStore {
  /** Absolute. */
  readonly runDir: string;
  /** Name of the run directory. */
  readonly runId: string;
  /** Absolute directory of a row; not made. */
  resultDir(key: RowKey): string;
  /** Writes `plan.json`: to be called before anything runs. */
  writePlan(plan: RunPlan): Promise<void>;
  /** Points `latest` beside the run directory at it: to be called once the plan stands. Never throws; gives why it could not. */
  pointLatest(): Promise<string | undefined>;
  /** Writes `task.json`. Gives its path. */
  writeTaskResult(resultDir: string, result: EvaluationResult): Promise<string>;
  /** Writes `run.json`. */
  writeRun(summary: RunSummary): Promise<void>;
  /** Writes `run.md`, then `run.html`: to be called once `run.json` stands. */
  writeReports(reports: RunReports): Promise<void>;
  /** Writes `suite.json` and `suite.md` of each suite. Never throws: gives what could not be written. */
  writeSuites(suites: readonly SuiteFile[]): Promise<string[]>;
  /** Writes `experiment.json`, `variant.json` and their reports, of a run that has some. Never throws: gives what could not be written. */
  writeExperiment(files: ExperimentFiles | undefined): Promise<string[]>;
  /** Joins the `task.log` files into `experiment.log`. */
  writeExperimentLog(): Promise<void>;
}

/**
 * Makes the run directory and gives its store.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function openResultStore(runDirectory: string, deps: StoreDeps): Promise<ResultStore> {
  const runDir = resolve(runDirectory);
  const runId = basename(runDir);
  await makeDirectory(runDir);
  return {
    runDir,
    runId,
    resultDir: (key) => join(runDir, resultDirOf(key)),
    writePlan: (plan) => writeFileAtomic(join(runDir, fileNames.plan), planChunks(runId, plan)),
    pointLatest: () => pointLatest(runDir),
    async writeTaskResult(resultDir, result) {
      await makeDirectory(resultDir);
      const path = join(resultDir, fileNames.task);
      await writeFileAtomic(path, [serializeTaskResult(result)]);
      return path;
    },
    writeRun: (summary) => writeRunJson(runDir, summary),
    writeReports: (reports) => writeReports(runDir, reports),
    writeSuites: (suites) => writeSuiteFiles(runDir, suites),
    writeExperiment: (files) => writeExperimentFiles(runDir, files),
    writeExperimentLog: () => writeExperimentLog(runDir, runId, deps.now()),
  };
}

/**
 * Writes `run.json`, then the reports made of it: readers of a report find its data there.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function writeRunFiles(runDir: string, summary: RunSummary, reports: RunReports): Promise<void> {
  await writeRunJson(runDir, summary);
  await writeReports(runDir, reports);
}

async function writeRunJson(runDir: string, summary: RunSummary): Promise<void> {
  await writeFileAtomic(join(runDir, fileNames.run), runJsonChunks(summary));
}

async function writeReports(runDir: string, reports: RunReports): Promise<void> {
  await writeFileAtomic(join(runDir, fileNames.markdown), [reports.markdown]);
  if (reports.html !== undefined) await writeFileAtomic(join(runDir, fileNames.html), [reports.html]);
}

/** Replaces the link in one step. Only a link is ever replaced: a real file or directory of that name stays. */
async function pointLatest(runDir: string): Promise<string | undefined> {
  const link = join(dirname(runDir), fileNames.latest);
  const temporary = `${link}.tmp`;
  if (link === runDir) return "the run directory itself is called latest";
  try {
    const old = await lstat(link).catch(() => undefined);
    if (old !== undefined && !old.isSymbolicLink()) return `${link} exists and is no link`;
    await rm(temporary, { force: true });
    await symlink(basename(runDir), temporary);
    await rename(temporary, link);
    return undefined;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    return errorMessage(error);
  }
}
