import { SandboxSetupError } from "../../errors.ts";
import type { ExecResult, Sandbox } from "../sandbox.ts";

/** Time that pip, uv, npm or bun get to install a task's packages (formats.md 1.4). */
export const installLimitMs = 300_000;
const tailCharacters = 2000;

export interface InstallSpec {
  readonly command: readonly string[];
  /** For messages: what is being installed. */
  readonly what: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Runs an installer in `workDir`.
 * @throws SandboxSetupError `package_install_error` with the end of its output, SandboxLostError, or the signal's reason
 */
export async function runInstaller(sandbox: Sandbox, spec: InstallSpec): Promise<void> {
  spec.log(`installing ${spec.what}`);
  const result = await sandbox.exec({
    command: spec.command,
    env: spec.env,
    timeoutMs: installLimitMs,
    maxOutputBytes: 1_000_000,
    signal: spec.signal,
  });
  if (result.kind === "exited" && result.exitCode === 0) return;
  throw new SandboxSetupError("package_install_error", `could not install ${spec.what}: ${howItEnded(result)}`, {
    hint: "check the names and versions, and that the sandbox reaches the package index",
  });
}

/** The end of a failed command in one text: exit code or time limit, then the last of its output. */
export function howItEnded(result: ExecResult): string {
  const end = result.kind === "timed out" ? `no end after ${result.afterMs / 1000} s` : `exit ${result.exitCode}`;
  const output = `${result.output.stdout}${result.output.stderr}`.trim();
  return output === "" ? end : `${end}\n${output.length > tailCharacters ? `…${output.slice(-tailCharacters)}` : output}`;
}
