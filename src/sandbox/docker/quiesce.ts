import { setTimeout as delay } from "node:timers/promises";
import { SandboxLostError } from "../../errors.ts";
import type { QuiesceReport } from "../sandbox.ts";
import { containerLost, inspectContainer, lostBy, type TaskContainer } from "./container.ts";
import { hasStatus } from "./engine-error.ts";
import { createdSchema, execStateSchema, topSchema } from "./responses.ts";

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly uid: number;
  /** Seconds since its start. */
  readonly age: number;
}

/** A process that was started with PID 1, give or take: our own `sleep`, which nobody has killed. */
const sameAgeSeconds = 2;

/**
 * Makes sure that only PID 1 and its `sleep` run: looks from the host's side, kills as each user seen (only an exec of the same user can,
 * and its success code proves nothing), looks again, and as the last means restarts the container, which keeps its files.
 * @throws SandboxLostError, or the signal's reason
 */
export async function quiesceContainer(
  container: TaskContainer,
  restart: () => Promise<void>,
  signal: AbortSignal,
): Promise<QuiesceReport> {
  signal.throwIfAborted();
  const before = await listProcesses(container);
  if (before !== undefined && isQuiet(before, true)) return { killed: 0, restarted: false };
  let killed = 0;
  if (before !== undefined) {
    // PID 1 and its sleep are in the list too.
    killed = Math.max(0, before.length - 2);
    for (const uid of new Set(before.map((line) => line.uid))) await killAllOf(container, uid);
    for (let look = 0; look < 5; look += 1) {
      signal.throwIfAborted();
      const after = await listProcesses(container);
      if (after !== undefined && isQuiet(after, false)) return { killed, restarted: false };
      await delay(20 * (look + 1));
    }
  }
  await restart();
  return { killed: Math.max(killed, 1), restarted: true };
}

function isQuiet(lines: readonly ProcessLine[], untouched: boolean): boolean {
  const pids = new Set(lines.map((line) => line.pid));
  const main = lines.filter((line) => !pids.has(line.parent));
  const [first] = main;
  const others = lines.filter((line) => line !== first);
  if (main.length !== 1 || first === undefined || others.length > 1) return false;
  // A stranger could have killed our sleep and stand in for it; it is younger then.
  return others.every((line) => line.parent === first.pid && (!untouched || first.age - line.age <= sameAgeSeconds));
}

/** `undefined` when the engine's host cannot tell (a `ps` that does not know the columns). */
async function listProcesses(container: TaskContainer): Promise<ProcessLine[] | undefined> {
  try {
    const query = { ps_args: "-eo pid,ppid,uid,etimes" };
    const top = await container.client.json(topSchema, { method: "GET", path: `/containers/${container.id}/top`, query });
    const lines = (top.Processes ?? []).map(([pid, parent, uid, age]) => ({
      pid: Number(pid),
      parent: Number(parent),
      uid: Number(uid),
      age: Number(age),
    }));
    return lines.every((line) => Object.values(line).every(Number.isFinite)) ? lines : undefined;
  } catch (error) {
    const lost = await lostBy(error, container);
    if (lost !== undefined) throw lost;
    return undefined;
  }
}

async function killAllOf(container: TaskContainer, uid: number): Promise<void> {
  try {
    const body = { User: String(uid), WorkingDir: "/", AttachStdout: true, Cmd: ["/bin/sh", "-c", "kill -9 -1"] };
    const created = await container.client.json(createdSchema, { method: "POST", path: `/containers/${container.id}/exec`, body });
    const start = { method: "POST", path: `/exec/${created.Id}/start`, body: { Detach: false, Tty: false }, timeoutMs: 10_000 } as const;
    for await (const _chunk of await container.client.stream(start));
    await container.client.json(execStateSchema, { method: "GET", path: `/exec/${created.Id}/json` });
  } catch (error) {
    const lost = await lostBy(error, container);
    if (lost instanceof SandboxLostError) throw lost;
    // No process to be had inside (a fork bomb has them all), or no shell any more: the next look tells, and the restart is left.
  }
}

/** `kill` and `start`: leaves PID 1 alone in the container. Files stay, `/dev/shm` and tmpfs do not. @throws SandboxLostError */
export async function restartContainer(container: TaskContainer): Promise<void> {
  try {
    const path = `/containers/${container.id}`;
    await container.client.call({ method: "POST", path: `${path}/kill` }).catch((error: unknown) => {
      // 409: it is not running, which is what the kill is for.
      if (!hasStatus(error, 409)) throw error;
    });
    // The kill returns before the engine has noted the end; a start would then count as done already (304).
    await container.client.call({ method: "POST", path: `${path}/wait`, query: { condition: "not-running" } });
    await container.client.call({ method: "POST", path: `${path}/start` });
    const facts = await inspectContainer(container);
    if (!facts.State.Running) throw containerLost(container.key, facts);
  } catch (error) {
    throw (await lostBy(error, container)) ?? new SandboxLostError(`could not restart the container of ${container.key}`, { cause: error });
  }
}
