import { posix } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import type { FileEntry, Sandbox } from "../../sandbox/sandbox.ts";

/** Below the sandbox's support directory: files for the agent's home on their way, or in a directory on this machine the home itself. */
const stagedDir = "agent-home";

const homes = new WeakMap<Sandbox, string>();

/**
 * The `HOME` of an agent, absolute inside the sandbox. In a container it is the user's own, since pre_run and criteria share it; on this
 * machine it is a directory of the task's own: the files of whoever runs us are none of a task's business.
 * @throws SandboxSetupError, SandboxLostError, or the signal's reason
 */
export async function agentHome(sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  if (sandbox.driver === "tempdir") return posix.join(sandbox.supportDir, stagedDir);
  const known = homes.get(sandbox);
  if (known !== undefined) return known;
  const result = await sandbox.exec({
    command: { shell: `printf '%s' "$HOME"` },
    timeoutMs: 30_000,
    maxOutputBytes: 10_000,
    signal,
  });
  const home = result.kind === "exited" && result.exitCode === 0 ? result.output.stdout : "";
  if (!home.startsWith("/")) {
    throw new SandboxSetupError("sandbox_setup_error", "the sandbox does not tell the home directory of its user", {
      hint: "the image needs /bin/sh and a HOME",
    });
  }
  homes.set(sandbox, home);
  return home;
}

/** Puts files where `wrapCommand` finds them. @throws SandboxLostError, or the signal's reason */
export async function stageHome(sandbox: Sandbox, files: readonly FileEntry[], signal: AbortSignal): Promise<void> {
  const directory = posix.join(sandbox.supportDir, stagedDir);
  // A home on this machine has to be there even if nothing is put into it.
  const cache: FileEntry = { kind: "directory", path: ".cache", mode: 0o755 };
  const entries = sandbox.driver === "tempdir" ? [cache, ...files] : files;
  if (entries.length > 0) await sandbox.putFiles(entries, directory, signal);
}

/** How a command ends whose files could not be put into the home. */
export const homeless = { exitCode: 117, mark: "evalbatch: the home directory cannot be written" } as const;

/** The command that copies the staged files into the home and then becomes the program. */
export function wrapCommand(sandbox: Sandbox, command: readonly string[], hasFiles: boolean): readonly string[] {
  if (!hasFiles || sandbox.driver === "tempdir") return command;
  const staged = posix.join(sandbox.supportDir, stagedDir);
  // -f: a second attempt meets the links of the first.
  const script = `mkdir -p "$HOME" && cp -Rf "$0/." "$HOME/" || { echo "${homeless.mark}" >&2; exit ${homeless.exitCode}; }; exec "$@"`;
  return ["/bin/sh", "-c", script, staged, ...command];
}
