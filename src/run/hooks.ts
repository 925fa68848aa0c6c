import { SandboxSetupError } from "../errors.ts";
import type { HookResult } from "../results/task-result.ts";
import type { ExecResult, Sandbox } from "../sandbox/sandbox.ts";
import type { TaskLog } from "./task-log.ts";

/** Characters kept of each stream in `pre_run_results` and `post_run_results` (formats.md 1.2). */
const recordedChars = 100_000;
/** Bytes that hold that many characters, whichever they are. */
const recordedBytes = 4 * recordedChars;

interface Hook {
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
  readonly fail_on_error?: boolean | undefined;
}

export interface HookContext {
  readonly sandbox: Sandbox;
  readonly log: TaskLog;
  readonly signal: AbortSignal;
  /** Gets each result as soon as it is known, also that of a command that then fails the set-up. */
  readonly onResult: (record: HookResult) => void;
}

/**
 * Runs `pre_run` or `post_run` commands in order, in the sandbox's plain environment (formats.md 1.2).
 * @throws SandboxSetupError when a command with `fail_on_error` ends badly; SandboxLostError; the signal's reason
 */
export async function runHooks(kind: "pre_run" | "post_run", hooks: readonly Hook[], context: HookContext): Promise<void> {
  for (const hook of hooks) {
    context.log.write("INFO", `running ${kind} command: ${hook.command}`);
    const result = await context.sandbox.exec({
      command: { shell: hook.command },
      timeoutMs: hook.timeout * 1000,
      maxOutputBytes: recordedBytes,
      onOutput: undefined,
      signal: context.signal,
    });
    logOutput(context.log, kind, result);
    context.onResult(toRecord(hook, result));
    if (kind === "pre_run" && hook.fail_on_error !== false) throwOnFailure(hook, result);
  }
}

function logOutput(log: TaskLog, kind: string, result: ExecResult): void {
  if (result.output.stdout !== "") log.foreign(`${kind} stdout`, result.output.stdout);
  if (result.output.stderr !== "") log.foreign(`${kind} stderr`, result.output.stderr);
}

function toRecord(hook: Hook, result: ExecResult): HookResult {
  return {
    command: hook.command,
    exit_code: result.kind === "exited" ? result.exitCode : null,
    stdout: result.output.stdout.slice(0, recordedChars),
    stderr: result.output.stderr.slice(0, recordedChars),
    duration_seconds: result.durationMs / 1000,
    error: result.kind === "exited" ? null : `Timed out after ${hook.timeout}s`,
  };
}

/** Texts as upstream's (upstream-runs/2-mixed). */
function throwOnFailure(hook: Hook, result: ExecResult): void {
  if (result.kind === "timed out") {
    throw new SandboxSetupError("pre-run", `Pre-run command timed out after ${hook.timeout}s: '${hook.command}'`);
  }
  if (result.exitCode !== 0) {
    throw new SandboxSetupError("pre-run", `Pre-run command failed (exit ${result.exitCode}): '${hook.command}'`);
  }
}
