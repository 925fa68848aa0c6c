import { Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";
import { InterruptedError } from "../errors.ts";
import { maxConcurrency, parseShare, preservationModes } from "../plan/run-settings.ts";
import { failOnWords, strictGate } from "../results/gate.ts";
import { version } from "../version.ts";
import { collectProbes, collectVersions, type SelectionFlags, wholeNumber, withSelection } from "./cli-options.ts";
import { withResume } from "./cli-resume.ts";
import { type RunFlags, runFromCli, selectionHost } from "./cli-run.ts";
import { selectionOf } from "./cli-selection.ts";
import { surviveClosedOutput } from "./end-process.ts";
import { exitCodes } from "./exit-codes.ts";
import { fingerprintCommand } from "./fingerprint.ts";
import { planCommand } from "./plan.ts";
import { renderError } from "./render-error.ts";
import { reportCommand } from "./report.ts";
import { streamModes } from "./run-context.ts";
import { writeOut } from "./write-out.ts";

/** Where nobody looks at a terminal, nothing has to be cut. */
const unlimited = Number.POSITIVE_INFINITY;

interface PlanFlags extends SelectionFlags {
  readonly json: boolean;
  readonly explain?: string;
}

const exitHelp = `
Exit codes:
  0    the run passes the gate: every task passed, or as --fail-on and --min-pass-rate say
  1    a task failed, ended in an error, was not run, or a file could not be loaded; a threshold was missed
  2    wrong usage, or something is missing on this machine (no Docker engine, …)
  130  interrupted (Ctrl-C, SIGTERM): finished rows and a partial run.json are kept`;

const planExitHelp = `
Exit codes:
  0  every file that was asked for can run, or says skip: true
  1  a file cannot run; the plan has the others
  2  wrong usage, a wrong experiment, clashing ids, or no task at all`;

const fingerprintExitHelp = `
Exit codes:
  0  nothing differs that can change a result
  1  something does; or results were made with other settings than the fingerprint of their run says
  2  wrong usage, or no fingerprint that can be read`;

const patternHelp = `
Patterns are files, folders (every .yaml and .yml below), or globs with **, {a,b} and leading ! for exclusions:
  evalbatch run tasks/
  evalbatch run 'tasks/**/*.yaml' '!tasks/slow/**' -j 4
  evalbatch run tasks/ --tags smoke --driver docker -o results
  evalbatch plan tasks/ -e nightly --variant loud -D run_limits.max_turns=30

Paths of -D begin with agent, run_limits or sandbox; its values are YAML: -D 'agent.allowed_tools=[Bash, Read]'.
They beat what task, experiment and variant say.
`;

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
    return error instanceof InterruptedError ? exitCodes.interrupted : exitCodes.setUp;
  }
}

function createProgram(host: NodeJS.Process, setExitCode: SetExitCode): Command {
  const program = new Command("evalbatch")
    .description("Run batches of coding-agent evaluation tasks in sandboxes and turn them into a verdict.")
    .version(version)
    .showHelpAfterError("(see evalbatch --help)")
    .exitOverride()
    .configureHelp({ optionDescription })
    .configureOutput({ writeOut: (text) => void host.stdout.write(text), writeErr: (text) => void host.stderr.write(text) });

  addRun(program, host, setExitCode);
  addPlan(program, host, setExitCode);
  addReport(program, host, setExitCode);
  addFingerprint(program, host, setExitCode);
  return program;
}

type SetExitCode = (code: number) => void;

function addRun(program: Command, host: NodeJS.Process, setExitCode: SetExitCode): void {
  withResume(withSelection(program.command("run")))
    .description("Run tasks, grade what they left, and write run.json, run.md and run.html.")
    .option(
      "-o, --run-dir <dir>",
      "directory for the results (default: runs/<date and time>); must not hold a run yet, unless with --resume",
    )
    .option("-j, --max-parallel <n>", "tasks at a time (default: as many as CPUs and memory allow)", wholeNumber(maxConcurrency))
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
    .option(
      "--confirm-above <n>",
      "ask before more tasks than this are run; without a terminal refuse, unless --yes is given",
      wholeNumber(),
    )
    .option("-y, --yes", "confirm a large run beforehand", false)
    .option(
      "--agent-version <version>",
      "version of the agents' programs, such as 2.1.300, latest, image (the image brings it), or claude-code=2.1.300,codex=latest (several times)",
      collectVersions,
    )
    .option(
      "--env-probe <name=command>",
      "record the first line that a command prints in each sandbox as a version, such as java='java -version' (several times)",
      collectProbes,
      [],
    )
    .addOption(
      new Option("-s, --stream <how>", "watch the agents: their tool calls and final replies (minimal), or all they say (full)").choices(
        streamModes,
      ),
    )
    .option("-v, --verbose", "show the output of the tasks' agents", false)
    .option("--json", "print run.json on stdout at the end", false)
    .addHelpText("after", patternHelp + exitHelp)
    .action(async (patterns: string[], flags: RunFlags) => setExitCode(await runFromCli(host, patterns, flags)));
}

function addPlan(program: Command, host: NodeJS.Process, setExitCode: SetExitCode): void {
  withSelection(program.command("plan"))
    .description("Show what would run, and every problem of the task files, without running anything.")
    .option("--json", "print the plan as JSON", false)
    .option("--explain <field>", "show which layer set a field of each task, such as agent.model or agent")
    .addHelpText("after", patternHelp + planExitHelp)
    .action(async (patterns: string[], flags: PlanFlags) => {
      const { json, explain, allowEmpty } = flags;
      const selection = selectionOf({ ...flags, patterns }, selectionHost(host));
      const shown = { json, explain, columns: host.stdout.columns ?? unlimited };
      const outcome = await planCommand({ ...selection, ...shown, allowEmpty });
      host.stderr.write(outcome.problems);
      await writeOut(host.stdout, outcome.text);
      setExitCode(outcome.exitCode);
    });
}

function addReport(program: Command, host: NodeJS.Process, setExitCode: SetExitCode): void {
  program
    .command("report")
    .description("Print the report of a run directory.")
    .argument("<run-dir>", "directory that a run wrote")
    .option("--rebuild", "recompute run.json and run.md from the task.json files first", false)
    .action(async (runDir: string, flags: { readonly rebuild: boolean }) => {
      const outcome = await reportCommand({ runDir, rebuild: flags.rebuild });
      host.stderr.write(outcome.problems);
      await writeOut(host.stdout, [outcome.text]);
      setExitCode(outcome.exitCode);
    });
}

function addFingerprint(program: Command, host: NodeJS.Process, setExitCode: SetExitCode): void {
  program
    .command("fingerprint")
    .description("Show what a run was made with, or what differs between two runs.")
    .argument("<run-dir>", "directory that a run wrote")
    .argument("[other]", "directory of the later run to compare it with")
    .option("--json", "print it as JSON", false)
    .addHelpText("after", fingerprintExitHelp)
    .action(async (runDir: string, other: string | undefined, { json }: { readonly json: boolean }) => {
      const outcome = await fingerprintCommand({ runDir, other, json, columns: host.stdout.columns ?? unlimited });
      await writeOut(host.stdout, [outcome.text]);
      setExitCode(outcome.exitCode);
    });
}

/** Without the defaults that say nothing. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:\[\]|false)\)$/, "");
}

function parseShareFlag(text: string): number {
  const parsed = parseShare(text);
  if (parsed.kind === "problem") throw new InvalidArgumentError(parsed.problem);
  return parsed.value;
}
