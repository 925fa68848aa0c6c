import { z } from "zod";
import { compilePythonRegex, PythonRegexError, searchPythonRegex } from "../python/regex.ts";
import { splitLines, stripText } from "../python/text.ts";
import { laxBool, laxInt } from "../schema/lax.ts";
import { type CommandRun, runCriterionCommand } from "./command-run.ts";
import { type CheckOutcome, type CriterionChecker, type CriterionContext, criterionBase } from "./criterion.ts";
import { readScore } from "./stdout-score.ts";

export const runCommandSchema = criterionBase
  .extend({
    type: z.literal("run_command"),
    command: z.string(),
    timeout: laxInt().default(30),
    expected_exit_code: laxInt().default(0),
    expected_stdout: z.string().nullable().default(null),
    stdout_match: z.enum(["exact", "contains", "regex"]).default("exact"),
    score_from_stdout: laxBool().default(false),
    /** The author's promise that the command changes nothing; nothing depends on it here. */
    read_only: laxBool().optional(),
  })
  .refine((criterion) => !(criterion.score_from_stdout && criterion.expected_stdout !== null), {
    path: ["expected_stdout"],
    error: "'expected_stdout' and 'score_from_stdout' exclude each other: the first line of stdout is the score",
  });

type RunCommand = z.output<typeof runCommandSchema>;

const maxDetailChars = 4_000;
const maxExpectedChars = 200;

export const runCommand: CriterionChecker<typeof runCommandSchema> = {
  type: "run_command",
  schema: runCommandSchema,
  check: async (criterion, context) => {
    const run = await runCriterionCommand(criterion.command, criterion.timeout, context);
    const exitMatches = isExpectedExit(run.exitCode, criterion.expected_exit_code);
    if (criterion.score_from_stdout) return scoreFromStdout(criterion, run, exitMatches);
    if (criterion.expected_stdout === null)
      return { score: exitMatches ? 1 : 0, details: describe(criterion, run).join("\n"), error: null };

    const match = await matchStdout(criterion.expected_stdout, criterion.stdout_match, run, context);
    const details = describe(criterion, run);
    details.push(`Stdout match (${criterion.stdout_match}): ${match.matches ? "pass" : "FAIL"}`);
    if (!match.matches) details.push(`Expected: ${cut(criterion.expected_stdout, maxExpectedChars)}`);
    return { score: exitMatches && match.matches ? 1 : 0, details: details.join("\n"), error: match.error };
  },
};

/** Python calls death by signal 9 exit code -9, a shell and a container 137; a task may expect either. -1 is our own time limit. */
function isExpectedExit(exitCode: number, expected: number): boolean {
  return exitCode === expected || (expected < -1 && expected >= -64 && exitCode === 128 - expected);
}

interface StdoutMatch {
  readonly matches: boolean;
  readonly error: string | null;
}

async function matchStdout(
  expected: string,
  mode: RunCommand["stdout_match"],
  run: CommandRun,
  context: CriterionContext,
): Promise<StdoutMatch> {
  if (run.stdoutIncomplete) return { matches: false, error: `stdout is longer than the ${run.stdoutLimit} bytes that are read` };
  if (mode === "exact") return { matches: stripText(run.stdout) === stripText(expected), error: null };
  if (mode === "contains") return { matches: stripText(run.stdout).includes(stripText(expected)), error: null };
  try {
    const match = await searchPythonRegex(compilePythonRegex(expected, 0), run.stdout, { signal: context.signal });
    return { matches: match !== undefined, error: null };
  } catch (error) {
    if (error instanceof PythonRegexError && error.kind === "invalid") return { matches: false, error: null };
    throw error;
  }
}

function scoreFromStdout(criterion: RunCommand, run: CommandRun, exitMatches: boolean): CheckOutcome {
  const details = describe(criterion, run);
  if (!exitMatches) {
    const error = `Command exited with code ${run.exitCode} (expected ${criterion.expected_exit_code})`;
    return { score: 0, details: details.join("\n"), error };
  }
  const read = readScore(splitLines(run.stdout)[0] ?? "");
  if (read.kind === "none") return { score: 0, details: details.join("\n"), error: read.error };
  return { score: read.score, details: [read.text, ...details].join("\n"), error: null };
}

function describe(criterion: RunCommand, run: CommandRun): string[] {
  const lines = [`Command: ${criterion.command}`, `Exit code: ${run.exitCode} (expected: ${criterion.expected_exit_code})`];
  lines.push(...stream("Stdout", run.stdout), ...stream("Stderr", run.stderr));
  if (run.beforeTimeout !== undefined) {
    if (run.beforeTimeout.stdout !== "") lines.push(...stream("Stdout before the timeout", run.beforeTimeout.stdout));
    if (run.beforeTimeout.stderr !== "") lines.push(...stream("Stderr before the timeout", run.beforeTimeout.stderr));
  }
  if (run.droppedBytes > 0) lines.push(`… (${run.droppedBytes} more bytes of output were not kept)`);
  return lines;
}

function stream(name: string, text: string): string[] {
  if (text === "") return [`${name}: (empty)`];
  const characters = [...text];
  const rest = characters.length - maxDetailChars;
  return [`${name}:`, cut(text, maxDetailChars), ...(rest > 0 ? [`… (${rest} more chars truncated)`] : [])];
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : [...text].slice(0, maxChars).join("");
}
