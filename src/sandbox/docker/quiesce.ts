import { setTimeout as delay } from "node:timers/promises";
import { SandboxLostError } from "../../errors.ts";
import { lostBy, type TaskContainer } from "./container.ts";
import { hushSignal } from "./main-script.ts";
import { topSchema } from "./responses.ts";

/** What is found in a container at one moment, from the side of the engine's host. */
interface Look {
  /** Processes that are neither PID 1 nor its own `sleep`. */
  readonly strangers: number;
  /** That `sleep` is there, as it was started before anything of the task. */
  readonly untouched: boolean;
}

/** How often PID 1 is told to end all others, with growing pauses, before the sandbox is given up: about 10 s. */
const maxTries = 24;
const maxPauseMs = 500;

/**
 * Makes sure that only PID 1 and its `sleep` run, with one look when that is so already. `odd`: it was not, and something had to be ended.
 * @throws SandboxLostError when others do not end or cannot be seen, or the signal's reason
 */
export async function quiesceContainer(container: TaskContainer, signal: AbortSignal): Promise<{ killed: number; odd: boolean }> {
  signal.throwIfAborted();
  const before = await look(container);
  if (before?.strangers === 0) return { killed: 0, odd: !before.untouched };
  await hushContainer(container, signal);
  return { killed: before?.strangers ?? 0, odd: true };
}

/**
 * Ends every process but PID 1 and its `sleep`, by PID 1 itself: no program of the container, which an agent may have replaced, no new
 * process, of which there may be none to be had, and no restart, which would start the agent's shell as PID 1.
 * @throws SandboxLostError when that does not help, or the signal's reason
 */
export async function hushContainer(container: TaskContainer, signal?: AbortSignal): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    signal?.throwIfAborted();
    await tellToHush(container);
    if ((await look(container))?.strangers === 0) return;
    await delay(Math.min(20 * (tries + 1), maxPauseMs));
  }
  throw new SandboxLostError(`could not end what was left running in the container of ${container.key}`, {
    hint: "a process that hangs in the kernel does not end; see what `docker top` says, if anything",
  });
}

async function tellToHush(container: TaskContainer): Promise<void> {
  try {
    await container.client.call({ method: "POST", path: `/containers/${container.id}/kill`, query: { signal: hushSignal } });
  } catch (error) {
    const lost = await lostBy(error, container);
    if (lost !== undefined) throw lost;
    // The engine is at odds with itself for a moment: the next try tells.
  }
}

/**
 * Told apart by sessions: a process leaves its session once at most and joins none, every command of ours begins one, and PID 1 has
 * started nothing but its `sleep`. `undefined` when the engine's host cannot tell (a `ps` that does not know the columns).
 */
async function look(container: TaskContainer): Promise<Look | undefined> {
  try {
    const query = { ps_args: "-eo pid,ppid,sid" };
    const top = await container.client.json(topSchema, { method: "GET", path: `/containers/${container.id}/top`, query });
    const lines = (top.Processes ?? []).map(([pid, parent, session]) => ({
      pid: Number(pid),
      parent: Number(parent),
      session: Number(session),
    }));
    const pids = new Set(lines.map((line) => line.pid));
    // PID 1, and besides it the first process of every command that runs.
    const tops = lines.filter((line) => !pids.has(line.parent));
    const main = tops.find((line) => line.session === line.pid);
    if (main === undefined || lines.some((line) => !Object.values(line).every(Number.isSafeInteger))) return undefined;
    const own = tops.length === 1 ? lines.filter((line) => line.session === main.pid) : [];
    return { strangers: tops.length === 1 ? lines.length - own.length : Math.max(1, lines.length - 2), untouched: own.length === 2 };
  } catch (error) {
    const lost = await lostBy(error, container);
    if (lost !== undefined) throw lost;
    return undefined;
  }
}
