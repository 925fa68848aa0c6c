import { posix } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import { mockPathScript } from "../cli-mocks/set-up-mocks.ts";
import { unrecordedVariable } from "../cli-mocks/shim-script.ts";
import type { Sandbox } from "../sandbox.ts";
import type { PythonEnvironment } from "./python.ts";

export interface CommandEnvironmentOptions {
  readonly python: PythonEnvironment | undefined;
  /** Directory of the task file as the sandbox sees it (`provideTaskDir`). */
  readonly taskDir: string | undefined;
  /** Stand-ins of tools (`setUpMocks`): absolute directories, in their order. */
  readonly mockDirs?: readonly string[] | undefined;
  /**
   * The agent meets stand-ins before anything else; in a criterion's command they are behind the programs of the sandbox, and record
   * nothing.
   */
  readonly forAgent?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * What the agent and criterion commands have on top of the sandbox's environment (formats.md 1.4). `PATH` is set only where something
 * goes in front of the sandbox's own: `node_modules/.bin` if it exists, the virtual environment's `bin`, stand-ins of tools.
 * @throws SandboxLostError, SandboxSetupError when the sandbox has no shell, or the signal's reason
 */
export async function commandEnvironment(sandbox: Sandbox, options: CommandEnvironmentOptions): Promise<Record<string, string>> {
  const { python, taskDir, mockDirs = [], forAgent = false } = options;
  const hasNodeBin = (await sandbox.kindOf("node_modules/.bin", options.signal)) === "directory";
  const front = [
    ...(forAgent ? mockDirs : []),
    ...(hasNodeBin ? [posix.join(sandbox.workDir, "node_modules/.bin")] : []),
    ...(python === undefined ? [] : [python.binDir]),
    ...(forAgent ? [] : mockDirs),
  ];
  const env: Record<string, string> = { NODE_PATH: "", NPM_CONFIG_PREFIX: posix.join(sandbox.workDir, ".npm-prefix") };
  if (front.length > 0) env.PATH = [...front, await ownPath(sandbox, options.signal)].join(":");
  if (python !== undefined) env.VIRTUAL_ENV = python.venvDir;
  if (taskDir !== undefined) env.TASK_DIR = taskDir;
  if (mockDirs.length > 0) {
    if (forAgent) env.BASH_ENV = mockPathScript(sandbox);
    else env[unrecordedVariable] = "1";
  }
  return env;
}

/**
 * The PATH that commands have without us: the image's, or the host's.
 * @throws SandboxLostError, SandboxSetupError when the sandbox has no shell, or the signal's reason
 */
export async function ownPath(sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  const result = await sandbox.exec({ command: { shell: `printf '%s' "$PATH"` }, timeoutMs: 10_000, maxOutputBytes: 100_000, signal });
  if (result.kind === "exited" && result.exitCode === 0) return result.output.stdout;
  throw new SandboxSetupError("sandbox_setup_error", "the sandbox's shell does not tell its PATH", { hint: "the image needs /bin/sh" });
}
