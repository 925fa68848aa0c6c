import { posix } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import type { SandboxConfig } from "../../plan/schema/task-schema.ts";
import type { FileEntry, Sandbox } from "../sandbox.ts";
import { quoted, shimScript, shimTwin } from "./shim-script.ts";

export type RecordedCli = NonNullable<SandboxConfig["record_cli"]>[number];
type When = RecordedCli["responses"][number]["when"];

export interface MockOptions {
  readonly recorded: readonly RecordedCli[];
  /** `sandbox.mock_path_dirs`, as written. */
  readonly mockDirs: readonly string[];
  /** PATH of the sandbox without us. */
  readonly path: string;
  /** Makes the program that chooses among responses (`criteria/cli/responder-source.ts`). */
  readonly responderSource: (whens: readonly When[]) => string;
  /** Node of this machine, for a sandbox that is a directory of it. */
  readonly hostNode: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Directory of the stand-ins, relative to the sandbox, and the log in it (formats.md 1.4). */
const directory = "cli_mocks";
const logName = "calls.jsonl";
const programsDir = ".responses";
const pathScript = "mock-path.sh";

/**
 * A file for `BASH_ENV`. Shells of agents are often login shells (`bash -lc`), and `/etc/profile` of many images sets PATH anew; bash reads
 * this file after that.
 */
export function mockPathScript(sandbox: Pick<Sandbox, "supportDir">): string {
  return posix.join(sandbox.supportDir, pathScript);
}

/** Whether a sandbox needs Node that its image may not have: to be asked before it is started. */
export function needsNode(config: Pick<SandboxConfig, "record_cli">): boolean {
  return (config.record_cli ?? []).some(({ responses }) => responses.length > 0);
}

/**
 * Makes the files of `mock_path_dirs` executable and puts the stand-ins of `record_cli` in place, over what templates have brought.
 * @returns absolute directories to put in front of PATH, the stand-ins first: a tool that is recorded must not slip by
 * @throws SandboxSetupError when responses are given and there is no Node; SandboxLostError; the signal's reason
 */
export async function setUpMocks(sandbox: Sandbox, options: MockOptions): Promise<readonly string[]> {
  const own = options.mockDirs.map((path) => posix.resolve(sandbox.workDir, path));
  for (const [index, path] of own.entries()) await makeExecutable(sandbox, path, options.mockDirs[index] ?? path, options);
  const dirs = options.recorded.length === 0 ? own : [posix.join(sandbox.workDir, directory), ...own];
  if (dirs.length > 0) await sandbox.putFiles([file(pathScript, 0o644, pathAgain(dirs))], sandbox.supportDir, options.signal);
  if (options.recorded.length === 0) return own;
  const node = options.recorded.some(({ responses }) => responses.length > 0) ? await findNode(sandbox, options) : undefined;
  await sandbox.putFiles(entries(sandbox, options, node), directory, options.signal);
  return dirs;
}

/** Leaves a PATH alone that has them anywhere: somebody may have put something of their own in front. */
function pathAgain(dirs: readonly string[]): string {
  const first = quoted(dirs[0] ?? "");
  return `case ":$PATH:" in *:${first}:*) ;; *) PATH=${quoted(dirs.join(":"))}:$PATH; export PATH ;; esac\n`;
}

/** Plain files only: a link could lead out of the sandbox. */
async function makeExecutable(sandbox: Sandbox, path: string, written: string, { log, signal }: MockOptions): Promise<void> {
  const kind = await sandbox.kindOf(path, signal);
  if (kind !== "directory") {
    log(`mock_path_dirs: ${written} is ${kind === "missing" ? "not there yet" : "no directory of the sandbox"}`);
    return;
  }
  const shell = `for f in "$1"/* "$1"/.[!.]*; do [ -L "$f" ] || [ ! -f "$f" ] || [ -x "$f" ] || chmod a+x "$f" || exit 1; done`;
  const command = ["/bin/sh", "-c", shell, "evalbatch", path];
  const result = await sandbox.exec({ command, timeoutMs: 60_000, maxOutputBytes: 10_000, signal });
  if (result.kind !== "exited" || result.exitCode !== 0) log(`mock_path_dirs: not all files of ${written} could be made executable`);
}

function file(path: string, mode: number, text: string): FileEntry {
  return { kind: "file", path, mode, content: Buffer.from(text) };
}

function entries(sandbox: Sandbox, { recorded, path, responderSource }: MockOptions, node: string | undefined): FileEntry[] {
  const base = posix.join(sandbox.workDir, directory);
  const tools = recorded.flatMap(({ tool, exit_code, stdout, stderr, responses }): FileEntry[] => {
    const program = `${programsDir}/${tool}.cjs`;
    const responder = responses.length === 0 || node === undefined ? undefined : { node, program: posix.join(base, program) };
    const log = posix.join(base, logName);
    const script = shimScript({ tool, log, path, fallback: { exit_code, stdout, stderr }, responses, responder });
    return [
      file(tool, 0o755, script),
      ...(responder === undefined ? [] : [file(program, 0o644, responderSource(responses.map(({ when }) => when)))]),
    ];
  });
  const twins = recorded.map(({ tool }) => file(`${tool}.cmd`, 0o755, shimTwin(tool)));
  return [file(logName, 0o644, ""), ...twins, ...tools];
}

async function findNode(sandbox: Sandbox, { hostNode, signal }: MockOptions): Promise<string> {
  if (sandbox.driver === "tempdir") return hostNode;
  const kit = sandbox.kitDir("node");
  const wanted = kit === undefined ? "node" : posix.join(kit, "bin/node");
  const probe = `p=$(command -v "$1") && "$p" -e 0 && printf '%s' "$p"`;
  const command = ["/bin/sh", "-c", probe, "evalbatch", wanted];
  const result = await sandbox.exec({ command, timeoutMs: 60_000, maxOutputBytes: 10_000, signal });
  if (result.kind === "exited" && result.exitCode === 0 && result.output.stdout.startsWith("/")) return result.output.stdout;
  throw new SandboxSetupError("sandbox_setup_error", "the responses of record_cli need Node in the sandbox, and there is none that runs", {
    hint: "use an image with Node, or record the tool without responses",
  });
}
