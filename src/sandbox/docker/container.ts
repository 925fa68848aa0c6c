import { SandboxLostError } from "../../errors.ts";
import type { EngineClient } from "./client.ts";
import { EngineConnectionError, hasStatus } from "./engine-error.ts";
import type { OomWatch } from "./oom-watch.ts";
import { type ContainerFacts, containerSchema } from "./responses.ts";
import type { SandboxUser } from "./users.ts";

/** A running container and what its parts (exec, files, quiesce) need to know of it. */
export interface TaskContainer {
  readonly client: EngineClient;
  readonly id: string;
  readonly name: string;
  /** The task's key, for messages. */
  readonly key: string;
  readonly user: SandboxUser;
  /** Set when the image's own home is of no use. */
  readonly home: string | undefined;
  /** Real absolute path. */
  readonly workDir: string;
  readonly ooms: OomWatch;
}

/** What the engine says about the container. @throws SandboxLostError when it, or the engine, is gone */
export async function inspectContainer(container: Pick<TaskContainer, "client" | "id" | "key">): Promise<ContainerFacts> {
  try {
    return await container.client.json(containerSchema, { method: "GET", path: `/containers/${container.id}/json`, timeoutMs: 30_000 });
  } catch (error) {
    throw (await lostBy(error, container)) ?? error;
  }
}

/**
 * Translates a failed request into the loss of the sandbox, `undefined` when the container runs and the failure is about something else.
 * A bad command and a dead container must not look alike: the one is a result, the other an error of the machine.
 */
export async function lostBy(
  error: unknown,
  container: Pick<TaskContainer, "client" | "id" | "key">,
): Promise<SandboxLostError | undefined> {
  if (error instanceof SandboxLostError) return error;
  if (error instanceof EngineConnectionError) {
    return new SandboxLostError(`lost the Docker engine under ${container.key}: ${error.message}`, {
      cause: error,
      engineLost: true,
      hint: "see whether the engine is still running, then run the task again",
    });
  }
  if (!hasStatus(error, 404, 409, 500)) return undefined;
  try {
    const facts = await container.client.json(containerSchema, {
      method: "GET",
      path: `/containers/${container.id}/json`,
      timeoutMs: 30_000,
    });
    return facts.State.Running ? undefined : containerLost(container.key, facts, error);
  } catch (second) {
    if (second instanceof EngineConnectionError) return lostBy(second, container);
    return hasStatus(second, 404) ? removed(container.key, error) : undefined;
  }
}

/** @throws SandboxLostError when the container, or the engine, is gone */
export async function assertRunning(container: Pick<TaskContainer, "client" | "id" | "key">): Promise<void> {
  const facts = await inspectContainer(container);
  if (!facts.State.Running) throw containerLost(container.key, facts);
}

/** Whether the engine still has the files of a container, running or not. Never throws. */
export async function hasFiles(container: Pick<TaskContainer, "client" | "id" | "key">): Promise<boolean> {
  try {
    return !isGoingAway(await inspectContainer(container));
  } catch {
    return false;
  }
}

function isGoingAway({ State }: ContainerFacts): boolean {
  return State.Status === "removing" || State.Status === "dead";
}

function removed(key: string, cause: unknown): SandboxLostError {
  return new SandboxLostError(`the container of ${key} was removed`, { cause, hint: "something outside of this run removed it" });
}

/** The loss of a container that has ended, with its last state. */
function containerLost(key: string, facts: ContainerFacts, cause?: unknown): SandboxLostError {
  const { ExitCode, OOMKilled, Error: text } = facts.State;
  // Its exit code tells nothing: the engine kills what it is told to remove.
  if (isGoingAway(facts) && !OOMKilled) return removed(key, cause);
  const why = OOMKilled ? ", out of memory" : text === "" ? "" : `, ${text}`;
  return new SandboxLostError(`the container of ${key} has ended: exit code ${ExitCode}${why}`, {
    cause,
    oomKilled: OOMKilled,
    hint: OOMKilled ? "raise sandbox.limits.max_memory_mb" : "something outside of this run stopped it, or its life was over",
  });
}
