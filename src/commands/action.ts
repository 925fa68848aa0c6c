import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { EnvironmentError, errorMessage, InputError, InterruptedError } from "../errors.ts";
import { annotateIssues } from "../github/annotate-issues.ts";
import { type Commands, createCommands } from "../github/commands.ts";
import { type GitHubEnvironment, readEnvironment } from "../github/environment.ts";
import type { Inputs } from "../github/inputs.ts";
import { createJobProgress } from "../github/job-progress.ts";
import { outputsOf, type Published, setOutputs, setSafeOutputs, setSkippedOutputs } from "../github/outputs.ts";
import { type PublishedPart, publishedParts, savePublished, saveRun, saveSecretNames } from "../github/state.ts";
import { writeSummary } from "../github/summary.ts";
import { unsafeTrigger } from "../github/trigger.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { verdictWords } from "../report/verdict-words.ts";
import { codeBlock, md } from "../untrusted/markdown.ts";
import { createRedactor, type Redactor } from "../untrusted/redact.ts";
import { surviveClosedOutput } from "./end-process.ts";
import { exitCodes } from "./exit-codes.ts";
import type { RunOutcome } from "./finish-run.ts";
import { emptySecretsOf, RunSkipped, skippedMarkdown } from "./foreign-run.ts";
import { type JobContext, openJob, titleOf } from "./job-context.ts";
import { findRunDir } from "./job-resume.ts";
import { jobConfirmation, jobSelection } from "./job-selection.ts";
import { publishRun } from "./publish.ts";
import { isForeign } from "./publish-comment.ts";
import { redactIssue } from "./redact-issue.ts";
import { renderError } from "./render-error.ts";
import { runCommand } from "./run.ts";
import { stopOnSignals } from "./signals.ts";

/**
 * The action: inputs, run, artifact, summary, comment, annotations and outputs, and only then the gate.
 * @returns the exit code, as the command line gives it; never throws
 */
export async function runAction(host: NodeJS.Process): Promise<number> {
  surviveClosedOutput(host);
  const environment = readEnvironment(host.env, host.cwd());
  const told = createCommands(environment.workspace);
  const secrets: string[] = [];
  const commands: Commands = {
    ...told,
    mask(secret) {
      secrets.push(secret);
      told.mask(secret);
    },
  };
  attempt(commands, "outputs cannot be set", setSafeOutputs);
  let inputs: Inputs | undefined;
  try {
    const job = openJob(host, environment, commands);
    inputs = job.inputs;
    return await runAndPublish(host, job);
  } catch (error) {
    if (error instanceof RunSkipped) return await reportSkipped(error, environment, commands, inputs);
    if (error instanceof InterruptedError) {
      commands.notice(error.message, { title: "evalbatch" });
      return exitCodes.interrupted;
    }
    // A finding quotes what stands in a file or an input, and the inputs themselves may be what is wrong.
    await reportBroken(error, createRedactor(secrets), environment, { commands, cwd: inputs?.workingDirectory ?? host.cwd() });
    // An advisory run breaks no pipeline when an engine or a registry is down; a wrong workflow is to be seen at once.
    return error instanceof EnvironmentError && inputs?.gate.failOn === "never" ? exitCodes.passed : exitCodes.setUp;
  }
}

function checkTrigger({ event, inputs, commands }: JobContext): void {
  const unsafe = unsafeTrigger(event);
  if (unsafe === undefined) return;
  if (!inputs.allowUnsafeTrigger) throw new InputError([{ severity: "error", code: "unsafe-trigger", message: unsafe }]);
  commands.warning(`allowed by allow-unsafe-trigger: ${unsafe}`, { title: "evalbatch" });
}

async function runAndPublish(host: NodeJS.Process, job: JobContext): Promise<number> {
  checkTrigger(job);
  if (isForeign(job) && job.inputs.emptySecrets.length > 0) throw new RunSkipped(job.inputs.emptySecrets);
  const screen = { write: (text: string) => void host.stdout.write(text), columns: 120, colour: false };
  const progress = createJobProgress(screen, () => performance.now());
  const stop = stopOnSignals(host, {
    monotonicMs: () => performance.now(),
    exit: (code) => host.exit(code),
    onStop: (name) => progress.warning(`${name}: stopping, finished tasks are kept`),
  });
  try {
    const outcome = await runCommand(
      { ...runOptionsOf(job), ...(await findRunDir(job, stop.signal)) },
      {
        clock: systemClock,
        progress,
        machine: { cpus: availableParallelism(), memoryBytes: totalmem() },
        signal: stop.signal,
        onPlanned: (tasks) => skipWithoutSecrets(tasks, job),
        onSecrets: (secrets) => {
          secrets.forEach(job.commands.mask);
          const names = Object.keys(job.env).filter((name) => secrets.includes(job.env[name] ?? ""));
          attempt(job.commands, "the post step will not know all secrets", () => saveSecretNames(names));
        },
        onRunStarts: (run) =>
          attempt(job.commands, "the post step will not know this run", () => saveRun({ ...run, cwd: job.inputs.workingDirectory })),
      },
    );
    progress.close();
    return await showAndJudge(outcome, job, stop.signal);
  } finally {
    stop.release();
    progress.close();
  }
}

function skipWithoutSecrets(tasks: readonly ResolvedTask[], job: JobContext): void {
  const names = isForeign(job) ? emptySecretsOf(tasks, job.env) : [];
  if (names.length > 0) throw new RunSkipped(names);
}

function runOptionsOf(job: JobContext): Parameters<typeof runCommand>[0] {
  const { inputs, environment } = job;
  return {
    ...jobSelection(job),
    maxParallel: inputs.maxParallel,
    preservationMode: inputs.preservationMode,
    gate: inputs.gate,
    confirmation: jobConfirmation(job),
    verbose: environment.debug,
    taskEnv: inputs.taskEnv,
    envProbes: inputs.envProbes,
    agentVersions: inputs.agentVersions,
  };
}

async function showAndJudge(outcome: RunOutcome, job: JobContext, signal: AbortSignal): Promise<number> {
  const { commands, inputs } = job;
  const place = { runDir: outcome.runDir, runJson: join(outcome.runDir, "run.json") };
  const tell = (published: Published): void =>
    attempt(commands, "outputs cannot be set", () => setOutputs(outputsOf(outcome.summary, place, published)));
  // Before the network is asked for anything: a job that is killed while it uploads still has its numbers.
  tell({});
  // A job that is being cancelled has seconds: what needs the network is left to the post step.
  const without = new Set<PublishedPart>(outcome.summary.interrupted ? publishedParts.filter((part) => part !== "summary") : []);
  const onPublished = (part: PublishedPart, artifact?: Published["artifact"]): void =>
    attempt(commands, "the post step will publish again", () => savePublished(part, artifact));
  const run = { ...outcome, cwd: inputs.workingDirectory };
  // The run has learned secrets that its tasks are given by name, whatever their names look like.
  const knowing = { ...job, redactor: outcome.redactor };
  try {
    tell(await publishRun(run, knowing, { without, onPublished, signal, successor: "the post step", notes: [] }));
  } catch (error) {
    commands.warning(`the results could not be shown, which is a bug of evalbatch: ${errorMessage(error)}; they are in ${outcome.runDir}`);
  }
  commands.lines(verdictText(outcome), "verdict: ");
  return outcome.exitCode;
}

function verdictText({ summary, gate }: RunOutcome): string {
  const tolerated = gate.tolerated.length > 0 ? [`tolerated: ${gate.tolerated.join("; ")}`] : [];
  return [verdictWords(summary, gate).words, ...gate.reasons, ...tolerated].join("; ");
}

async function reportSkipped(
  skipped: RunSkipped,
  environment: GitHubEnvironment,
  commands: Commands,
  inputs: Inputs | undefined,
): Promise<number> {
  commands.notice(skipped.message, { title: "evalbatch" });
  attempt(commands, "outputs cannot be set", setSkippedOutputs);
  if (inputs?.summary === true)
    await writeSummary(environment.summaryPath, [skippedMarkdown(titleOf({ environment, inputs }), skipped.names)]);
  return exitCodes.passed;
}

/** Nothing was run, or we broke: each finding as an annotation at its place, and the reason where the report would be. */
async function reportBroken(
  error: unknown,
  redactor: Redactor,
  { workspace, summaryPath }: GitHubEnvironment,
  { commands, cwd }: { readonly commands: Commands; readonly cwd: string },
): Promise<void> {
  const text = redactor.redact(renderError(error).trimEnd()).text;
  commands.lines(text, "evalbatch | ");
  if (error instanceof InputError) {
    const issues = error.issues.map((issue) => redactIssue(issue, redactor));
    annotateIssues(issues, { commands, workspace, cwd });
  } else commands.error(text.replace(/^error: /, ""), { title: "evalbatch" });
  await writeSummary(summaryPath, [md`## ❌ evalbatch could not run the tasks${codeBlock(text, 20_000)}`]);
}

function attempt(commands: Commands, what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    commands.warning(`${what}: ${errorMessage(error)}`);
  }
}
