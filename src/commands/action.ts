import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { errorMessage, InputError } from "../errors.ts";
import { type Commands, createCommands } from "../github/commands.ts";
import { type GitHubEnvironment, readEnvironment } from "../github/environment.ts";
import { type Inputs, loadInputs } from "../github/inputs.ts";
import { outputsOf, setOutputs, setSafeOutputs } from "../github/outputs.ts";
import { saveRun } from "../github/state.ts";
import { writeSummary } from "../github/summary.ts";
import { createPlainProgress } from "../progress/plain-progress.ts";
import { systemClock } from "../run/clock.ts";
import { codeBlock, md } from "../untrusted/markdown.ts";
import { surviveClosedOutput } from "./end-process.ts";
import { exitCodes } from "./exit-codes.ts";
import type { RunOutcome } from "./finish-run.ts";
import { renderError } from "./render-error.ts";
import { runCommand } from "./run.ts";
import { stopOnSignals } from "./signals.ts";

/** GitHub shows ten annotations of a step; what comes later is dropped without a word. */
const maxAnnotations = 9;

/**
 * The action: inputs, run, summary and outputs, and only then the gate.
 * @returns the exit code, as the command line gives it; never throws
 */
export async function runAction(host: NodeJS.Process): Promise<number> {
  surviveClosedOutput(host);
  const environment = readEnvironment(host.env, host.cwd());
  const commands = createCommands(environment.workspace);
  attempt(commands, "outputs cannot be set", setSafeOutputs);
  try {
    const { inputs, warnings } = loadInputs(host.env, environment, commands.mask);
    for (const warning of warnings) commands.warning(warning);
    const outcome = await run(host, inputs, environment, commands);
    await publish(outcome, inputs, environment, commands);
    return gate(outcome, commands);
  } catch (error) {
    await reportBroken(error, environment, commands);
    return exitCodes.setUp;
  }
}

async function run(host: NodeJS.Process, inputs: Inputs, environment: GitHubEnvironment, commands: Commands): Promise<RunOutcome> {
  const screen = { write: (text: string) => void host.stdout.write(text), columns: 120, colour: false };
  const progress = createPlainProgress(screen, () => performance.now());
  const stop = stopOnSignals(host, {
    monotonicMs: () => performance.now(),
    exit: (code) => host.exit(code),
    onStop: (name) => progress.warning(`${name}: stopping, finished tasks are kept`),
  });
  try {
    return await runCommand(
      {
        patterns: inputs.tasks,
        cwd: inputs.workingDirectory,
        runDir: inputs.runDir,
        maxParallel: inputs.maxParallel,
        driver: inputs.driver,
        image: inputs.image,
        tags: inputs.tags,
        excludeTags: inputs.excludeTags,
        includeSkipped: inputs.includeSkipped,
        preservationMode: inputs.preservationMode,
        allowEmpty: inputs.allowEmpty,
        verbose: environment.debug,
        env: host.env,
        taskEnv: inputs.taskEnv,
      },
      {
        clock: systemClock,
        progress,
        machine: { cpus: availableParallelism(), memoryBytes: totalmem() },
        signal: stop.signal,
        onRunStarts: ({ runId }) => attempt(commands, "the post step will not know this run", () => saveRun(runId)),
      },
    );
  } finally {
    stop.release();
    progress.close();
  }
}

/** What can't be published is a warning: it never changes the verdict. */
async function publish(outcome: RunOutcome, inputs: Inputs, environment: GitHubEnvironment, commands: Commands): Promise<void> {
  if (inputs.summary) {
    const end = await writeSummary(environment.summaryPath, [outcome.markdown]);
    if (end.kind === "failed") commands.warning(end.why);
    if (end.kind === "skipped") commands.lines(end.why, "note: ");
  }
  const place = { runDir: outcome.runDir, runJson: join(outcome.runDir, "run.json") };
  attempt(commands, "outputs cannot be set", () => setOutputs(outputsOf(outcome.summary, place)));
}

function gate(outcome: RunOutcome, commands: Commands): number {
  const { summary } = outcome;
  const counts = `${summary.tasks_succeeded} of ${summary.tasks_planned ?? summary.tasks_run} tasks passed`;
  const verdict = [`${summary.verdict ?? "no verdict"}: ${counts}`, ...summary.verdict_reasons].join("; ");
  if (outcome.exitCode === exitCodes.passed) commands.lines(verdict, "verdict: ");
  else commands.error(verdict, { title: "evalbatch" });
  return outcome.exitCode;
}

/** Nothing was run, or we broke: each finding as an annotation at its place, and the reason where the report would be. */
async function reportBroken(error: unknown, environment: GitHubEnvironment, commands: Commands): Promise<void> {
  const text = renderError(error).trimEnd();
  commands.lines(text, "evalbatch | ");
  if (error instanceof InputError) {
    const issues = error.issues.filter((issue) => issue.severity === "error");
    for (const issue of issues.slice(0, maxAnnotations)) {
      const message = issue.hint === undefined ? issue.message : `${issue.message}\nhint: ${issue.hint}`;
      commands.error(issue.field === undefined ? message : `${issue.field}: ${message}`, { title: "evalbatch", ...issue });
    }
    if (issues.length > maxAnnotations)
      commands.error(`${issues.length - maxAnnotations} more problems are in the log`, { title: "evalbatch" });
  } else commands.error(text.replace(/^error: /, ""), { title: "evalbatch" });
  await writeSummary(environment.summaryPath, [md`**evalbatch could not run the tasks**${codeBlock(text, 20_000)}`]);
}

function attempt(commands: Commands, what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    commands.warning(`${what}: ${errorMessage(error)}`);
  }
}
