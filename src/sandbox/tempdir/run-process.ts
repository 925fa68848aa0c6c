import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { constants as osConstants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError, errorMessage, SandboxLostError } from "../../errors.ts";
import { clampTimer } from "../../timer.ts";
import type { ExecRequest, ExecResult } from "../sandbox.ts";
import { createCapture } from "./capture.ts";
import { isCode } from "./confine.ts";
import type { HeldDirectory } from "./held-directory.ts";
import type { OutputPipe } from "./pipes.ts";
import { type Family, groupLives, killFamily, readProcess, signalProcess } from "./processes.ts";

export interface ProcessSpec {
  readonly request: ExecRequest;
  readonly cwd: string;
  /** Where `cwd` lies in it or is it, it must still be the same. */
  readonly work: HeldDirectory;
  readonly env: Readonly<Record<string, string>>;
  /** File descriptor of what the process reads, closed here. */
  readonly stdinFd: number | undefined;
  readonly stdout: OutputPipe;
  readonly stderr: OutputPipe;
  /** The marker of this exec. */
  readonly marker: string;
  readonly killGraceMs: number;
  readonly onStarted: (group: number, leaderStartTime: number | undefined) => void;
  /** Told once for each pipe that a background child still holds. */
  readonly onLingering: (pipe: OutputPipe) => void;
}

const killedWithinMs = 10_000;

type End = { readonly kind: "exit"; readonly code: number | null; readonly signal: NodeJS.Signals | null };

/**
 * Runs one command in a process group of its own and gives its result as soon as the command itself has ended: a child left in the
 * background neither delays the result nor loses output that was written before.
 * @throws EnvironmentError when the machine cannot start processes, or the signal's reason
 */
export async function runProcess(spec: ProcessSpec): Promise<ExecResult> {
  const { request, stdout, stderr } = spec;
  const started = performance.now();
  const out = createCapture(request.maxOutputBytes, (text) => request.onOutput?.("stdout", text));
  const err = createCapture(request.maxOutputBytes, (text) => request.onOutput?.("stderr", text));
  stdout.onData(out.push);
  stderr.onData(err.push);
  const finish = (): ExecResult & { kind: "exited" } => {
    const [a, b] = [out.finish(), err.finish()];
    const output = { stdout: a.text, stderr: b.text, droppedBytes: a.droppedBytes + b.droppedBytes };
    return { kind: "exited", exitCode: 0, durationMs: Math.round(performance.now() - started), output };
  };

  const child = await startChild(spec);
  if (!child.ok) {
    stdout.destroy();
    stderr.destroy();
    err.push(Buffer.from(`${child.why}\n`));
    return { ...finish(), exitCode: child.exitCode };
  }
  const startTime = readProcess(child.pid)?.startTime;
  spec.onStarted(child.pid, startTime);
  const family: Family = { marker: spec.marker, groups: new Map([[child.pid, startTime]]) };
  const stop = await endOrStop(child.ended, request);
  if (stop === "timed out") await terminate(child.pid, child.ended, spec.killGraceMs);
  if (stop !== "ended") await killFamily(family);
  const end = stop === "ended" ? await child.ended : await endWithin(child.ended, killedWithinMs);
  if (end === undefined)
    throw new SandboxLostError(`process ${child.pid} does not die of SIGKILL`, { hint: "look for a hung disk or network mount" });

  for (const pipe of [stdout, stderr]) {
    if (pipe.drain() === "ended") pipe.destroy();
    else spec.onLingering(pipe);
  }
  const result = finish();
  // What comes later belongs to no result, but it is read on: a server left in the background must not die of a broken pipe.
  for (const pipe of [stdout, stderr]) pipe.onData(() => {});
  if (stop === "aborted") throw request.signal.reason;
  if (stop === "timed out") return { kind: "timed out", afterMs: request.timeoutMs, durationMs: result.durationMs, output: result.output };
  if (end.signal === null) return { ...result, exitCode: end.code ?? 1 };
  const exitCode = 128 + osConstants.signals[end.signal];
  return end.signal === "SIGKILL" ? { ...result, exitCode, killedBy: "unknown" } : { ...result, exitCode };
}

type Start =
  | { readonly ok: true; readonly pid: number; readonly ended: Promise<End> }
  | { readonly ok: false; readonly exitCode: number; readonly why: string };

/** A command that cannot be started is the task's affair: 127 not found, 126 not to be run, as a shell says it. */
async function startChild(spec: ProcessSpec): Promise<Start> {
  const { command } = spec.request;
  const [file = "", ...args] = "shell" in command ? ["/bin/sh", "-c", command.shell] : command;
  const cwd = placeOf(spec);
  let child: ChildProcess;
  try {
    spec.request.signal.throwIfAborted();
    if (cwd === undefined) return { ok: false, exitCode: 126, why: `cannot change to directory ${spec.cwd}: it was ${spec.work.state()}` };
    const stdio = [spec.stdinFd ?? ("ignore" as const), spec.stdout.writeFd, spec.stderr.writeFd];
    child = spawn(file, args, { cwd, env: { ...spec.env }, detached: true, stdio });
  } catch (error) {
    if (spec.request.signal.aborted) throw error;
    return { ok: false, exitCode: 126, why: `${file}: ${errorMessage(error)}` };
  } finally {
    if (spec.stdinFd !== undefined) closeSync(spec.stdinFd);
    spec.stdout.closeWriteEnd();
    spec.stderr.closeWriteEnd();
  }
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise<Error>((resolve) => child.once("error", resolve));
    return await explainStart(error, file, cwd, spec.cwd);
  }
  child.on("error", () => {});
  const ended = new Promise<End>((resolve) => child.once("exit", (code, signal) => resolve({ kind: "exit", code, signal })));
  return { ok: true, pid, ended };
}

/** The directory to start in, by a handle; `undefined` when the working directory is not ours any more: a command could harm what stands there. */
function placeOf({ cwd, work }: ProcessSpec): string | undefined {
  if (cwd !== work.at && !cwd.startsWith(`${work.at}/`)) return cwd;
  return work.state() === "same" ? `${work.path}${cwd.slice(work.at.length)}` : undefined;
}

async function explainStart(error: Error, file: string, cwd: string, shown: string): Promise<Start> {
  if (isCode(error, "ENOENT", "ENOTDIR", "EACCES")) {
    const directory = await stat(cwd).catch(() => undefined);
    if (directory?.isDirectory() !== true) return { ok: false, exitCode: 126, why: `cannot change to directory ${shown}` };
    return isCode(error, "EACCES")
      ? { ok: false, exitCode: 126, why: `${file}: permission denied` }
      : { ok: false, exitCode: 127, why: `${file}: not found` };
  }
  if (isCode(error, "ENOEXEC", "E2BIG", "EPERM", "EISDIR", "ELOOP", "ENAMETOOLONG", "ETXTBSY")) {
    return { ok: false, exitCode: 126, why: `${file}: ${error.message}` };
  }
  throw new EnvironmentError("no-process", `cannot start a process: ${error.message}`, {
    cause: error,
    hint: "the machine is out of processes, memory or open files: run fewer tasks at once",
  });
}

/** What comes first: the end, the deadline or the abort. Nothing is left on the signal. */
async function endOrStop(ended: Promise<End>, request: ExecRequest): Promise<"ended" | "timed out" | "aborted"> {
  const { signal } = request;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<"timed out" | "aborted">((resolve) => {
    timer = setTimeout(() => resolve("timed out"), clampTimer(request.timeoutMs));
    onAbort = () => resolve("aborted");
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([ended.then(() => "ended" as const), stopped]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

/** SIGTERM to the group, then time for its members to end. */
async function terminate(group: number, ended: Promise<End>, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs;
  signalProcess(-group, "SIGTERM");
  await endWithin(ended, graceMs);
  while (performance.now() < until && groupLives(group)) await sleep(25);
}

async function endWithin(ended: Promise<End>, limitMs: number): Promise<End | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([ended, sleep(limitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  } finally {
    timer.abort();
  }
}
