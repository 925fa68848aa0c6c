import { randomBytes } from "node:crypto";
import { constants, existsSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { EnvironmentError, SandboxLostError } from "../../errors.ts";
import type { Kit } from "../../kits/kit-recipe.ts";
import type {
  ExecRequest,
  ExecResult,
  ExportOptions,
  ExportReport,
  FileEntry,
  FileRead,
  PathKind,
  QuiesceReport,
  Sandbox,
} from "../sandbox.ts";
import { isCode } from "./confine.ts";
import { throwIfDiskFull } from "./disk-full.ts";
import type { HeldDirectory } from "./held-directory.ts";
import { keepWork } from "./keep-work.ts";
import { removeHeld } from "./leftovers.ts";
import { createPipeSource, type OutputPipe } from "./pipes.ts";
import { killFamily, markerVariable, signalProcess } from "./processes.ts";
import { putFilesInto } from "./put-files.ts";
import { globInside, kindOfInside, readFileInside } from "./read-files.ts";
import { runProcess } from "./run-process.ts";

export interface TempdirParts {
  readonly key: string;
  readonly id: string;
  /** Ours alone, removed by `stop`. */
  readonly root: HeldDirectory;
  /** Inside `root`, or the caller's directory, which stays. */
  readonly work: HeldDirectory;
  /** How the caller names that directory. */
  readonly givenDirectory: string | undefined;
  readonly support: HeldDirectory;
  /** For pipes and standard input. */
  readonly controlDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly killGraceMs: number;
  readonly log: (line: string) => void;
  readonly kits: readonly Kit[];
  readonly onStopped: () => void;
}

/** A sandbox over directories that stand already. */
export function createTempdirSandbox(parts: TempdirParts): Sandbox {
  const { root, work, support, controlDir } = parts;
  const workDir = work.at;
  const pipes = createPipeSource(controlDir);
  const groups = new Map<number, number | undefined>();
  const lingering = new Set<OutputPipe>();
  const family = { marker: `${parts.id}.`, groups, directory: root.at, pipes: controlDir };
  let execs = 0;
  /** How many of them had been started when the last look found nobody. */
  let execsWhenQuiet = 0;
  let stopped: Promise<void> | undefined;

  const mustLive = (): void => {
    if (stopped !== undefined) throw new SandboxLostError(`the sandbox of ${parts.key} is stopped`);
  };

  /** What an error in our own directory means: the disk is full, or the task removed it. */
  const explained = (error: unknown): unknown => {
    if (!isCode(error, "ENOENT", "ENOSPC", "EDQUOT") && !(error instanceof EnvironmentError)) return error;
    throwIfDiskFull(error, controlDir);
    return existsSync(controlDir) ? error : new SandboxLostError(`the directory of ${parts.key} was removed under it`, { cause: error });
  };

  const exec = async (request: ExecRequest): Promise<ExecResult> => {
    mustLive();
    request.signal.throwIfAborted();
    const [stdout, stderr] = await openBoth(pipes).catch((error: unknown) => {
      throw explained(error);
    });
    execs += 1;
    const marker = `${parts.id}.${execs}`;
    let group: number | undefined;
    try {
      // From here to the start of the process nothing waits: a stop comes before it or sees it.
      mustLive();
      const result = await runProcess({
        request,
        work,
        cwd: posix.resolve(workDir, request.cwd ?? "."),
        env: { ...parts.env, ...request.env, [markerVariable]: marker },
        stdinFd: request.stdin === undefined ? undefined : openText(controlDir, request.stdin),
        stdout,
        stderr,
        marker,
        killGraceMs: parts.killGraceMs,
        onStarted: (pid, startTime) => {
          group = pid;
          groups.set(pid, startTime);
        },
        onLingering: (pipe) => lingering.add(pipe),
      });
      mustLive();
      return result;
    } catch (error) {
      stdout.destroy();
      stderr.destroy();
      throw explained(error);
    } finally {
      // The number of an empty group may be given to a stranger.
      if (group !== undefined && !signalProcess(-group, 0)) groups.delete(group);
    }
  };

  const killAllProcesses = async (): Promise<number> => {
    const execsBefore = execs;
    if (execsWhenQuiet === execsBefore) return 0;
    const { killed, left } = await killFamily(family);
    if (left > 0) throw new SandboxLostError(`${left} processes of ${parts.key} do not die of SIGKILL`);
    for (const pipe of lingering) pipe.destroy();
    lingering.clear();
    execsWhenQuiet = execsBefore;
    return killed;
  };

  const stopOnce = async (): Promise<void> => {
    await killAllProcesses().catch((error: unknown) => parts.log(`stop ${parts.key}: ${String(error)}`));
    await removeHeld(root).catch((error: unknown) => parts.log(`could not remove ${root.at}: ${String(error)}`));
    for (const held of [root, work, support]) held.close();
    parts.onStopped();
  };
  const stop = (): Promise<void> => {
    stopped ??= stopOnce();
    return stopped;
  };

  return {
    driver: "tempdir",
    workDir,
    supportDir: support.at,
    kitDir: (name) => parts.kits.find((kit) => kit.name === name)?.directory,
    facts: { driver: "tempdir" },
    exec,
    async kindOf(path: string): Promise<PathKind> {
      mustLive();
      return await kindOfInside(work, path);
    },
    async readFile(path: string, maxBytes: number): Promise<FileRead> {
      mustLive();
      return await readFileInside(work, path, maxBytes);
    },
    async glob(pattern: string): Promise<string[]> {
      mustLive();
      return await globInside(work, pattern);
    },
    async putFiles(entries: Iterable<FileEntry> | AsyncIterable<FileEntry>, destination = "."): Promise<void> {
      mustLive();
      await putFilesInto([work, support], posix.resolve(workDir, destination), entries);
    },
    async exportTo(hostDir: string, options: ExportOptions): Promise<ExportReport> {
      mustLive();
      const inPlace = hostDir === parts.givenDirectory || hostDir === workDir;
      return await keepWork(work, hostDir, inPlace, options);
    },
    async quiesce(signal: AbortSignal): Promise<QuiesceReport> {
      mustLive();
      signal.throwIfAborted();
      return { killed: await killAllProcesses() };
    },
    wasOutOfMemory: async () => false,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function openBoth(pipes: ReturnType<typeof createPipeSource>): Promise<readonly [OutputPipe, OutputPipe]> {
  const stdout = await pipes.open();
  try {
    return [stdout, await pipes.open()];
  } catch (error) {
    stdout.destroy();
    throw error;
  }
}

/** Standard input is a file without a name: no pipe that breaks, and `/dev/stdin` can be opened again. */
function openText(directory: string, text: string): number {
  const path = posix.join(directory, `stdin-${randomBytes(8).toString("hex")}`);
  writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  try {
    return openSync(path, constants.O_RDONLY);
  } finally {
    unlinkSync(path);
  }
}
