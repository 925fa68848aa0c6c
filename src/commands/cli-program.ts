import { availableParallelism, totalmem } from "node:os";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { systemClock } from "../clock.ts";
import { maxConcurrency, type PreservationMode, parseShare, preservationModes } from "../plan/run-settings.ts";
import { createPlainProgress } from "../progress/plain-progress.ts";
import type { Screen } from "../progress/progress.ts";
import { createTtyProgress } from "../progress/tty-progress.ts";
import { renderConsoleSummary } from "../report/console-summary.ts";
import { failOnWords, type GatePolicy, strictGate } from "../results/gate.ts";
import { runJsonChunks } from "../results/run-json.ts";
import { version } from "../version.ts";
import { surviveClosedOutput } from "./end-process.ts";
import { exitCodes } from "./exit-codes.ts";
import { planCommand } from "./plan.ts";
import { renderError } from "./render-error.ts";
import { reportCommand } from "./report.ts";
import { runCommand } from "./run.ts";
import { stopOnSignals } from "./signals.ts";

interface SelectionFlags {
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly includeSkipped: boolean;
  readonly allowEmpty: boolean;
  readonly driver?: "docker" | "tempdir";
  readonly image?: string;
  readonly json: boolean;
}

interface RunFlags extends SelectionFlags {
  readonly runDir?: string;
  readonly maxParallel?: number;
  readonly preservationMode?: PreservationMode;
  readonly failOn: GatePolicy["failOn"];
  readonly minPassRate?: number;
  readonly minTaskScore?: number;
  readonly verbose: boolean;
}

const exitHelp = `
Exit codes:
  0    the run passes the gate: every task passed, or as --fail-on and --min-pass-rate say
  1    a task failed, ended in an error, was not run, or a file could not be loaded; a threshold was missed
  2    wrong usage, or something is missing on this machine (no Docker engine, …)
  130  interrupted (Ctrl-C, SIGTERM): finished rows and a partial run.json are kept`;

const patternHelp = `
Patterns are files, folders (every .yaml and .yml below), or globs with **, {a,b} and leading ! for exclusions:
  evalbatch run tasks/
  evalbatch run 'tasks/**/*.yaml' '!tasks/slow/**' -j 4
  evalbatch run tasks/ --tags smoke --driver docker -o results`;

/** Runs the command line. Gives the exit code; never throws, and prints no stack trace for anything but a bug. */
export async function cliMain(host: NodeJS.Process): Promise<number> {
  let exitCode: number = exitCodes.passed;
  const program = createProgram(host, (code) => {
    exitCode = code;
  });
  surviveClosedOutput(host);
  try {
    await program.parseAsync(host.argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.passed : exitCodes.setUp;
    host.stderr.write(renderError(error));
    return exitCodes.setUp;
  }
}

function createProgram(host: NodeJS.Process, setExitCode: (code: number) => void): Command {
  const program = new Command("evalbatch")
    .description("Run batches of coding-agent evaluation tasks in sandboxes and turn them into a verdict.")
    .version(version)
    .showHelpAfterError("(see evalbatch --help)")
    .exitOverride()
    .configureOutput({ writeOut: (text) => void host.stdout.write(text), writeErr: (text) => void host.stderr.write(text) });

  withSelection(program.command("run"))
    .description("Run tasks, grade what they left, and write run.json, run.md and run.html.")
    .option("-o, --run-dir <dir>", "directory for the results (default: runs/<date and time>); must not hold a run yet")
    .option("-j, --max-parallel <n>", "tasks at a time (default: as many as CPUs and memory allow)", parseCount)
    .addOption(
      new Option("--preservation-mode <mode>", "what happens to the files of a task (default: kept below artifacts/)").choices(
        preservationModes,
      ),
    )
    .addOption(
      new Option("--fail-on <what>", "what makes the exit code 1: any miss, only errors and open ends, or nothing (the verdict stays)")
        .choices(failOnWords)
        .default(strictGate.failOn),
    )
    .option("--min-pass-rate <share>", "share of the graded tasks that must pass, such as 0.9 or 90% (default: all)", parseShareFlag)
    .option("--min-task-score <score>", "score that every graded task must reach, asked in addition", parseShareFlag)
    .option("-v, --verbose", "show the output of the tasks' agents", false)
    .option("--json", "print run.json on stdout at the end", false)
    .addHelpText("after", patternHelp + exitHelp)
    .action(async (patterns: string[], flags: RunFlags) => setExitCode(await run(host, patterns, flags)));

  withSelection(program.command("plan"))
    .description("Show what would run, and every problem of the task files, without running anything.")
    .option("--json", "print the plan as JSON", false)
    .addHelpText("after", patternHelp)
    .action(async (patterns: string[], flags: SelectionFlags) => {
      const outcome = await planCommand({ ...flags, patterns, cwd: host.cwd(), env: host.env, columns: host.stdout.columns ?? 100 });
      host.stderr.write(outcome.problems);
      host.stdout.write(outcome.text);
      setExitCode(outcome.exitCode);
    });

  program
    .command("report")
    .description("Print the report of a run directory.")
    .argument("<run-dir>", "directory that a run wrote")
    .option("--rebuild", "recompute run.json and run.md from the task.json files first", false)
    .action(async (runDir: string, flags: { readonly rebuild: boolean }) => {
      const outcome = await reportCommand({ runDir, rebuild: flags.rebuild });
      host.stderr.write(outcome.problems);
      host.stdout.write(outcome.text);
      setExitCode(outcome.exitCode);
    });
  return program;
}

function withSelection(command: Command): Command {
  return command
    .argument("<patterns...>", "task files, folders or globs")
    .option("--tags <list>", "only tasks with one of these tags (comma-separated)", parseList, [])
    .option("--exclude-tags <list>", "no tasks with one of these tags (comma-separated)", parseList, [])
    .option("--include-skipped", "also run tasks that say skip: true", false)
    .addOption(new Option("--driver <driver>", "sandbox for every task (default: what the task says)").choices(["docker", "tempdir"]))
    .option("--image <image>", "image for docker tasks that name neither image nor Dockerfile")
    .option("--allow-empty", "finding no task to run is fine", false);
}

async function run(host: NodeJS.Process, patterns: readonly string[], flags: RunFlags): Promise<number> {
  const { stderr, stdout } = host;
  const screen: Screen = {
    write: (text) => void stderr.write(text),
    columns: stderr.columns ?? 100,
    colour: stderr.hasColors?.() === true,
  };
  const isLive = stderr.isTTY === true && host.env.CI === undefined && host.env.TERM !== "dumb";
  const progress = (isLive ? createTtyProgress : createPlainProgress)(screen, () => performance.now());
  const stop = stopOnSignals(host, {
    monotonicMs: () => performance.now(),
    exit: (code) => host.exit(code),
    onStop: (name) => progress.warning(`${name}: stopping, finished tasks are kept (again to exit at once)`),
  });
  try {
    const outcome = await runCommand(
      { ...flags, patterns, gate: gateOf(flags), cwd: host.cwd(), env: host.env, taskEnv: {} },
      { clock: systemClock, progress, signal: stop.signal, machine: { cpus: availableParallelism(), memoryBytes: totalmem() } },
    );
    if (flags.json) for (const chunk of [...runJsonChunks(outcome.summary), "\n"]) stdout.write(chunk);
    else
      stdout.write(
        renderConsoleSummary(outcome.summary, {
          runDir: outcome.runDir,
          columns: stdout.columns ?? 100,
          colour: stdout.hasColors?.() === true,
        }),
      );
    return outcome.exitCode;
  } finally {
    stop.release();
    progress.close();
  }
}

function gateOf({ failOn, minPassRate, minTaskScore, allowEmpty }: RunFlags): GatePolicy {
  return { failOn, minPassRate, minTaskScore, allowEmpty };
}

function parseShareFlag(text: string): number {
  const parsed = parseShare(text);
  if (parsed.kind === "problem") throw new InvalidArgumentError(parsed.problem);
  return parsed.value;
}

function parseList(text: string, earlier: readonly string[]): string[] {
  const items = text.split(",").map((item) => item.trim());
  return [...earlier, ...items.filter((item) => item !== "")];
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > maxConcurrency) {
    throw new InvalidArgumentError(`expected a whole number from 1 to ${maxConcurrency}`);
  }
  return count;
}
