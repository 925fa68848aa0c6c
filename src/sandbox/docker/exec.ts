import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { EnvironmentError, errorMessage, SandboxLostError } from "../../errors.ts";
import { clampTimer } from "../../timer.ts";
import type { ExecRequest, ExecResult } from "../sandbox.ts";
import { createCapture } from "../tempdir/capture.ts";
import { assertRunning, lostBy, type TaskContainer } from "./container.ts";
import { createDemultiplexer } from "./demultiplex.ts";
import { EngineConnectionError } from "./engine-error.ts";
import { execArguments, graceSeconds, killArguments, outsideMark } from "./exec-script.ts";
import { createdSchema, execStateSchema } from "./responses.ts";

/** How often a running command is asked about, at most: bounds the wait for one that left its output to a background child. */
const pollMs = 1_000;
const firstPollMs = 200;
/** What a finished command's last output may take through shim and engine. */
const drainMs = 250;
/** The outer deadline fires so long after the inner one should have ended everything. */
const outerSlackMs = 3_000;
const lastResortMs = 4_000;

/**
 * Runs one command. The deadline is kept inside (`exec-script.ts`), and outside should the inside be broken: kill by another exec, then
 * `endAll`, which ends everything in the container.
 * @throws SandboxLostError, or the signal's reason; the command is ended then, in the background
 */
export async function execInContainer(container: TaskContainer, request: ExecRequest, endAll: () => Promise<void>): Promise<ExecResult> {
  request.signal.throwIfAborted();
  const startedAt = performance.now();
  const oomsBefore = container.ooms.count(container.id);
  const id = `eb${randomBytes(12).toString("hex")}`;
  const stdout = createCapture(request.maxOutputBytes, request.onOutput && ((text) => request.onOutput?.("stdout", text)));
  const stderr = createCapture(request.maxOutputBytes, request.onOutput && ((text) => request.onOutput?.("stderr", text)));

  const execId = await createExec(container, request, id);
  const stream = await startExec(container, execId, request.stdin);
  const end = await follow(container, { execId, id, stream, request, endAll }, (name, chunk) =>
    (name === "stderr" ? stderr : stdout).push(chunk),
  );

  const durationMs = performance.now() - startedAt;
  const [out, err] = [stdout.finish(), stderr.finish()];
  const output = { stdout: out.text, stderr: err.text, droppedBytes: out.droppedBytes + err.droppedBytes };
  if (end.kind === "killed from outside" || (end.exitCode === 137 && durationMs >= request.timeoutMs)) {
    return { kind: "timed out", afterMs: request.timeoutMs, durationMs, output };
  }
  const { exitCode } = end;
  if (exitCode === 125 && output.stdout === `${id} ${outsideMark}\n`) throw notInside();
  const killed = exitCode === 137;
  const outOfMemory = killed && (await container.ooms.hasMoreThan(container.id, oomsBefore));
  // Without a shell, or without a process to be had, no command starts any more; nor does it in a container that dies just now.
  if (!end.started || (killed && !outOfMemory)) await assertStaysAlive(container);
  if (!killed) return { kind: "exited", exitCode, durationMs, output };
  return { kind: "exited", exitCode, killedBy: outOfMemory ? "out of memory" : "unknown", durationMs, output };
}

/** The engine notes the end of a command earlier than that of the container with which it died. */
async function assertStaysAlive(container: TaskContainer): Promise<void> {
  for (const ms of [0, 100, 200, 300, 400]) {
    await delay(ms);
    await assertRunning(container);
  }
}

function notInside(): EnvironmentError {
  return new EnvironmentError("engine-exec-outside", "this engine runs commands outside of the container, on the files of its host", {
    hint: "an engine that was started in a chroot does so: start it with a root of its own (pivot_root, a virtual machine)",
  });
}

async function createExec(container: TaskContainer, request: ExecRequest, id: string): Promise<string> {
  const command = "shell" in request.command ? ["/bin/sh", "-c", request.command.shell] : request.command;
  const cwd = posix.resolve(container.workDir, request.cwd ?? ".");
  const env = { ...(container.home === undefined ? {} : { HOME: container.home }), ...request.env };
  const body = {
    AttachStdin: request.stdin !== undefined && request.stdin !== "",
    AttachStdout: true,
    AttachStderr: true,
    // The script enters the directory itself: one that is missing must be the command's failure, not the engine's.
    WorkingDir: "/",
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Cmd: execArguments({ id, timeoutMs: request.timeoutMs, cwd, command }),
  };
  try {
    const path = `/containers/${container.id}/exec`;
    return (await container.client.json(createdSchema, { method: "POST", path, body, signal: request.signal })).Id;
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    throw (
      (await lostBy(error, container)) ??
      new SandboxLostError(`the engine refused a command in ${container.key}: ${errorMessage(error)}`, { cause: error })
    );
  }
}

async function startExec(container: TaskContainer, execId: string, stdin: string | undefined): Promise<Readable | Duplex> {
  const request = { method: "POST", path: `/exec/${execId}/start`, body: { Detach: false, Tty: false }, timeoutMs: 0 } as const;
  try {
    if (stdin === undefined || stdin === "") return await container.client.stream(request);
    const socket = await container.client.upgrade(request);
    socket.end(stdin);
    return socket;
  } catch (error) {
    throw (
      (await lostBy(error, container)) ??
      new SandboxLostError(`the engine refused a command in ${container.key}: ${errorMessage(error)}`, { cause: error })
    );
  }
}

type CommandEnd =
  | { readonly kind: "ended"; readonly exitCode: number; readonly started: boolean }
  | { readonly kind: "killed from outside" };

interface Running {
  readonly execId: string;
  readonly id: string;
  readonly stream: Readable | Duplex;
  readonly request: ExecRequest;
  readonly endAll: () => Promise<void>;
}

/** Reads until the command has ended, whoever ends it. All timers and listeners are gone when it returns. */
async function follow(
  container: TaskContainer,
  running: Running,
  sink: (name: "stdout" | "stderr", chunk: Uint8Array) => void,
): Promise<CommandEnd> {
  const { stream, request } = running;
  const done = new AbortController();
  const pause = (ms: number) => delay(clampTimer(ms), undefined, { signal: done.signal });
  const streamEnd = new Promise<void>((resolve) => {
    stream.on("data", createDemultiplexer(sink));
    stream.once("close", resolve);
    stream.once("end", resolve);
    // What a broken connection means is found out by asking the engine.
    stream.once("error", () => resolve());
  });
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(request.signal.reason);
  request.signal.addEventListener("abort", onAbort, { once: true });
  if (request.signal.aborted) onAbort();

  const polled = async (): Promise<void> => {
    for (let wait = firstPollMs; ; wait = Math.min(wait * 2, pollMs)) {
      await pause(wait);
      if (!(await execState(container, running.execId)).Running) {
        await pause(drainMs);
        return;
      }
    }
  };
  const overdue = async (): Promise<"overdue"> => {
    await pause(request.timeoutMs + graceSeconds * 1000 + outerSlackMs);
    return "overdue";
  };
  try {
    const first = await Promise.race([streamEnd, polled(), overdue(), aborted.promise]);
    if (first === "overdue") {
      await endFromOutside(container, running, streamEnd);
      return { kind: "killed from outside" };
    }
    return await Promise.race([endOf(container, running.execId), aborted.promise]);
  } catch (error) {
    if (request.signal.aborted) {
      void killExec(container, running.id, 2);
      throw request.signal.reason;
    }
    throw error;
  } finally {
    done.abort();
    request.signal.removeEventListener("abort", onAbort);
    stream.removeAllListeners("data");
    stream.on("error", () => undefined);
    stream.destroy();
  }
}

async function execState(container: TaskContainer, execId: string) {
  try {
    return await container.client.json(execStateSchema, { method: "GET", path: `/exec/${execId}/json`, timeoutMs: 30_000 });
  } catch (error) {
    throw (
      (await lostBy(error, container)) ??
      new SandboxLostError(`lost a command in ${container.key}: ${errorMessage(error)}`, { cause: error })
    );
  }
}

async function endOf(container: TaskContainer, execId: string): Promise<CommandEnd> {
  // The output may end a moment before the engine has noted the exit.
  for (let tries = 0; tries < 200; tries += 1) {
    const { Running, ExitCode, Pid } = await execState(container, execId);
    if (!Running && typeof ExitCode === "number") return { kind: "ended", exitCode: ExitCode, started: Pid !== 0 };
    await assertRunning(container);
    await delay(Math.min(10 * (tries + 1), 200));
  }
  throw new SandboxLostError(`lost a command in ${container.key}: its output broke off while it goes on running`);
}

async function endFromOutside(container: TaskContainer, running: Running, streamEnd: Promise<void>): Promise<void> {
  await Promise.race([killExec(container, running.id, 0), delay(lastResortMs)]);
  const ended = await Promise.race([streamEnd.then(() => true), delay(drainMs).then(() => false)]);
  if (ended || !(await execState(container, running.execId)).Running) return;
  await running.endAll();
}

/** Ends another exec's process group by an exec of the same user; a success of it proves nothing, so nothing is said. */
async function killExec(container: TaskContainer, id: string, afterSeconds: number): Promise<void> {
  try {
    const body = { AttachStdout: true, WorkingDir: "/", Cmd: killArguments(id, afterSeconds) };
    const created = await container.client.json(createdSchema, { method: "POST", path: `/containers/${container.id}/exec`, body });
    const start = { method: "POST", path: `/exec/${created.Id}/start`, body: { Detach: false, Tty: false } } as const;
    (await container.client.stream(start)).resume();
  } catch (error) {
    // The container may be gone already, which is as good.
    if (error instanceof EngineConnectionError) return;
  }
}
