import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { EnvironmentError, errorMessage, InputError } from "../errors.ts";
import { experimentFiles } from "../report/experiment-files.ts";
import { renderRunHtml } from "../report/run-html.ts";
import { renderRunMarkdown } from "../report/run-markdown.ts";
import { suiteFiles } from "../report/suite-markdown.ts";
import { systemCode } from "../results/atomic-file.ts";
import { writeExperimentFiles } from "../results/experiment/write-experiment.ts";
import { parseJsonText } from "../results/json-text.ts";
import { fileNames } from "../results/layout.ts";
import { rebuildSummary, setAsideBrokenRun } from "../results/rebuild.ts";
import { bucketProblem } from "../results/run-summary.ts";
import { type RunSummary, runSummarySchema } from "../results/run-summary-schema.ts";
import { writeRunFiles } from "../results/store.ts";
import { writeSuiteFiles } from "../results/suites/write-suites.ts";
import { commandTitle } from "../untrusted/log.ts";
import { version } from "../version.ts";
import { exitCodes } from "./exit-codes.ts";
import { lockRunDir } from "./run-lock.ts";

export interface ReportOptions {
  readonly runDir: string;
  /** Recompute `run.json`, `run.md` and `run.html` from the `task.json` files first. */
  readonly rebuild: boolean;
}

export interface ReportOutcome {
  /** For stdout. */
  readonly text: string;
  /** For stderr; empty when there is nothing to say. */
  readonly problems: string;
  readonly exitCode: number;
}

/**
 * The report of a run directory: its `run.md`, else one rendered from its `run.json`.
 * @throws InputError for a directory that holds no run, `run-dir-busy` for a rebuild of one that lives; EnvironmentError when it cannot be written
 */
export async function reportCommand(options: ReportOptions): Promise<ReportOutcome> {
  const runDir = resolve(options.runDir);
  return options.rebuild ? rebuildAlone(runDir) : printReport(runDir);
}

/** A run that lives there writes the same files, and would be counted as one that was cut short. */
async function rebuildAlone(runDir: string): Promise<ReportOutcome> {
  const found = await stat(runDir).catch(() => undefined);
  const unlock = found?.isDirectory() === true ? await lockRunDir(runDir) : undefined;
  try {
    return await rebuildReport(runDir);
  } finally {
    await unlock?.();
  }
}

async function printReport(runDir: string): Promise<ReportOutcome> {
  const written = await readIfThere(join(runDir, fileNames.markdown));
  if (written !== undefined) return { text: withLineEnd(written), problems: "", exitCode: exitCodes.passed };
  const summary = await readSummary(join(runDir, fileNames.run));
  return { text: withLineEnd(renderRunMarkdown(summary)), problems: "", exitCode: exitCodes.passed };
}

/** Of a line on stderr. */
const problemChars = 1000;

/** Exit code 1 tells that results are missing from the rebuilt summary, not that tasks failed: that is in the report. */
async function rebuildReport(runDir: string): Promise<ReportOutcome> {
  const { summary, totals, suites, brokenRunJson, allGone } = await rebuildSummary(runDir, { version });
  if (summary.tasks_planned === 0 && summary.skipped_tasks.length === 0) throw noRun(runDir, "no task.json, plan.json or run.json");
  if (allGone) throw noResults(runDir);
  if (brokenRunJson) await setAsideBrokenRun(runDir);
  const markdown = renderRunMarkdown(summary, totals);
  await writeRunFiles(runDir, summary, { markdown, html: renderRunHtml(summary, totals) });
  const lost = await writeSuiteFiles(runDir, suiteFiles(suites));
  const unwritten = await writeExperimentFiles(runDir, experimentFiles(summary));
  const problems = [
    ...summary.unreadable.map(({ path, reason }) => `could not be used: ${path}: ${reason}`),
    ...summary.set_aside.map(({ path, reason, moved_to: now }) => `not used: ${path}: ${reason}${now === null ? "" : `; now ${now}`}`),
    ...lost.map((problem) => `the report of a suite could not be written: ${problem}`),
    ...unwritten.map((problem) => `a report of the experiment could not be written: ${problem}`),
  ]
    // Paths and reasons quote what others wrote.
    .map((problem) => `${commandTitle(problem, problemChars)}\n`)
    .join("");
  return { text: withLineEnd(markdown), problems, exitCode: summary.unreadable.length > 0 ? exitCodes.failed : exitCodes.passed };
}

async function readSummary(path: string): Promise<RunSummary> {
  const text = await readIfThere(path);
  if (text === undefined)
    throw noRun(dirname(path), "neither run.md nor run.json", "after a run that was cut short, evalbatch report --rebuild makes both");
  const problem = (message: string, cause?: unknown) =>
    new InputError([{ severity: "error", code: "bad-run-json", message: `${path}: ${message}`, file: path }], {
      cause,
      hint: "evalbatch report --rebuild makes it anew from the task.json files",
    });
  let value: unknown;
  try {
    value = parseJsonText(text).value;
  } catch (error) {
    throw problem(`not valid JSON (${errorMessage(error)})`, error);
  }
  const read = runSummarySchema.safeParse(value);
  if (!read.success) throw problem(read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "));
  const wrong = bucketProblem(read.data);
  if (wrong !== undefined) throw problem(`it does not add up: ${wrong}`);
  return read.data;
}

function noRun(place: string, missing: string, hint?: string): InputError {
  const printed = "give the directory that `evalbatch run` printed, e.g. runs/latest";
  return new InputError([{ severity: "error", code: "no-run", message: `${place} holds no run: ${missing}` }], {
    hint: hint === undefined ? printed : `${printed}; ${hint}`,
  });
}

function noResults(runDir: string): InputError {
  const message = `${runDir} has a run.json with results and not one task.json to make it anew from; nothing was changed`;
  return new InputError([{ severity: "error", code: "no-results", message }], {
    hint: "`evalbatch report` without --rebuild shows what run.json has",
  });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined;
    throw new EnvironmentError("cannot-read", `cannot read ${path}: ${errorMessage(error)}`, { cause: error });
  }
}

function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
