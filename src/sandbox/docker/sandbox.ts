import { posix } from "node:path";
import { SandboxLostError } from "../../errors.ts";
import type { ExecRequest, Sandbox, SandboxFacts } from "../sandbox.ts";
import { clientWithSignal } from "./client.ts";
import { hasFiles, inspectContainer, lostBy, type TaskContainer } from "./container.ts";
import { execInContainer } from "./exec.ts";
import type { KitMount } from "./kit-mounts.ts";
import { assertOwnPrograms, type ProgramDigests } from "./own-programs.ts";
import { putFilesInto } from "./put-files.ts";
import { hushContainer, quiesceContainer } from "./quiesce.ts";
import { exportFromContainer, globInContainer, kindOfInContainer, readFileInContainer } from "./read-files.ts";

/** Where files of ours lie in every container. */
export const supportDir = "/evalbatch";

export interface DockerSandboxParts {
  readonly container: TaskContainer;
  readonly facts: SandboxFacts;
  /** The working directory came empty with the container. */
  readonly freshWorkDir: boolean;
  /** What the image has of the programs that every command needs. */
  readonly programsOfImage: () => Promise<ProgramDigests>;
  /** Removes the container; never throws. */
  readonly remove: () => Promise<void>;
  /** Everything of the run is being killed: what a command seems to have come to from now on is the kill's doing. */
  readonly isKilled: () => boolean;
  readonly kits: readonly KitMount[];
}

/** A sandbox over a container that runs. */
export function createDockerSandbox(parts: DockerSandboxParts): Sandbox {
  const { container } = parts;
  let execs = 0;
  /** How many commands had been started when the last look found nobody else. */
  let execsWhenQuiet = 0;
  /** Links of ours lie in the working directory. */
  let hasLinks = false;
  let stopped: Promise<void> | undefined;
  const endAll = () => hushContainer(container);
  /** Set once, for good: what an engine says of a container that it is removing changes from one question to the next. */
  let lost: SandboxLostError | undefined;
  const mustBeOurs = (): void => {
    if (stopped !== undefined) throw new SandboxLostError(`the sandbox of ${container.key} is stopped`);
    if (parts.isKilled()) throw new SandboxLostError(`the sandbox of ${container.key} was killed with its run`);
  };
  const mustLive = (): void => {
    mustBeOurs();
    if (lost !== undefined) throw lost;
  };
  /** Calls that run side by side find the same loss: the first one's account of it stands. */
  const remember = (error: unknown): unknown => {
    if (!(error instanceof SandboxLostError) || stopped !== undefined) return error;
    lost ??= error;
    return lost;
  };
  const gone = new AbortController();
  /** Work through the engine, whose failures are told from a lost sandbox. Ends with the signal, and with the sandbox. */
  const throughEngine = async <Result>(work: (bound: TaskContainer) => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    const either = signal === undefined ? gone.signal : AbortSignal.any([signal, gone.signal]);
    either.throwIfAborted();
    try {
      return await work({ ...container, client: clientWithSignal(container.client, either) });
    } catch (error) {
      if (either.aborted) throw either.reason;
      throw remember((await lostBy(error, container)) ?? error);
    }
  };
  const alive = async <Result>(work: (bound: TaskContainer) => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    mustLive();
    const result = await throughEngine(work, signal);
    mustLive();
    return result;
  };
  const stop = (): Promise<void> => {
    // An archive that is still read would hold up the removal.
    gone.abort(new SandboxLostError(`the sandbox of ${container.key} is stopped`));
    stopped ??= parts.remove();
    return stopped;
  };
  return {
    driver: "docker",
    workDir: container.workDir,
    supportDir,
    kitDir: (name) => parts.kits.find(({ kit }) => kit.name === name)?.target,
    facts: parts.facts,
    async exec(request: ExecRequest) {
      mustLive();
      execs += 1;
      const result = await execInContainer(container, request, endAll).catch((error: unknown) => {
        throw remember(error);
      });
      // A command that was cut off by `stop` has no result.
      mustLive();
      return result;
    },
    kindOf: (path, signal) => alive((bound) => kindOfInContainer(bound, path), signal),
    readFile: (path, maxBytes, signal) => alive((bound) => readFileInContainer(bound, path, maxBytes), signal),
    glob: (pattern, signal) => alive((bound) => globInContainer(bound, pattern), signal),
    async putFiles(entries, destination = ".", signal) {
      const target = posix.resolve(container.workDir, destination);
      const pristine = execs === 0 && parts.freshWorkDir && !hasLinks;
      const { links } = await alive((bound) => putFilesInto(bound, [container.workDir, supportDir], target, entries, pristine), signal);
      hasLinks ||= links;
    },
    async exportTo(hostDir, options) {
      mustBeOurs();
      // What a container that has ended left is worth keeping; of one that is going away only a part would come.
      if (lost !== undefined && (lost.engineLost || !(await hasFiles(container)))) throw lost;
      return await throughEngine((bound) => exportFromContainer(bound, hostDir, options), options.signal);
    },
    async quiesce(signal) {
      mustLive();
      const execsBefore = execs;
      if (execsWhenQuiet === execsBefore) return { killed: 0 };
      const { killed, odd } = await alive((bound) => quiesceContainer(bound, signal), signal);
      // Commands of the grader start these: an agent that laid its own would come to life again.
      if (odd) await alive(async (bound) => assertOwnPrograms(bound, await parts.programsOfImage()), signal);
      execsWhenQuiet = execsBefore;
      return { killed };
    },
    async wasOutOfMemory() {
      if (container.ooms.count(container.id) > 0) return true;
      if (lost !== undefined) return lost.oomKilled;
      try {
        return (await inspectContainer(container)).State.OOMKilled;
      } catch (error) {
        return error instanceof SandboxLostError && error.oomKilled;
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
