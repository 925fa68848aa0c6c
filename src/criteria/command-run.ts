import { universalNewlines } from "../python/text.ts";
import type { CriterionContext } from "./criterion.ts";

/** Kept of each stream. */
const maxOutputBytes = 10_000_000;
/** Timers of Node can not run longer. */
const maxTimeoutMs = 2_147_483_647;

/** How a criterion's command ended, in the terms of formats.md 1.4. */
export interface CommandRun {
  /** -1 when the time limit ended it. */
  readonly exitCode: number;
  /** With universal newlines; empty after a timeout, whose output so far is in `beforeTimeout`. */
  readonly stdout: string;
  readonly stderr: string;
  readonly beforeTimeout?: { readonly stdout: string; readonly stderr: string } | undefined;
  readonly droppedBytes: number;
  /** Output was dropped and stdout is as long as it may be. */
  readonly stdoutIncomplete: boolean;
  readonly stdoutLimit: number;
}

/**
 * Runs a shell line in the sandbox with the environment of criterion commands.
 * @param timeoutSeconds not above zero means that the time is over before the command starts
 * @throws SandboxLostError, or the signal's reason
 */
export async function runCriterionCommand(command: string, timeoutSeconds: number, context: CriterionContext): Promise<CommandRun> {
  const late = `Command '${command}' timed out after ${timeoutSeconds} seconds`;
  const nothing = { droppedBytes: 0, stdoutIncomplete: false, stdoutLimit: maxOutputBytes };
  if (timeoutSeconds <= 0) return { exitCode: -1, stdout: "", stderr: late, ...nothing };
  const result = await context.sandbox.exec({
    command: { shell: command },
    env: context.commandEnv,
    timeoutMs: Math.min(timeoutSeconds * 1_000, maxTimeoutMs),
    maxOutputBytes,
    signal: context.signal,
  });
  const { droppedBytes } = result.output;
  const stdout = universalNewlines(result.output.stdout);
  const stderr = universalNewlines(result.output.stderr);
  if (result.kind === "timed out") {
    return { exitCode: -1, stdout: "", stderr: late, beforeTimeout: { stdout, stderr }, ...nothing, droppedBytes };
  }
  const stdoutIncomplete = droppedBytes > 0 && Buffer.byteLength(result.output.stdout) >= maxOutputBytes - 4;
  return { exitCode: result.exitCode, stdout, stderr, droppedBytes, stdoutIncomplete, stdoutLimit: maxOutputBytes };
}
