import { posix } from "node:path";
import { SandboxLostError } from "../../errors.ts";
import type { ExecRequest, Sandbox, SandboxFacts } from "../sandbox.ts";
import { inspectContainer, type TaskContainer } from "./container.ts";
import { execInContainer } from "./exec.ts";
import { putFilesInto } from "./put-files.ts";
import { quiesceContainer, restartContainer } from "./quiesce.ts";
import { exportFromContainer, globInContainer, kindOfInContainer, readFileInContainer } from "./read-files.ts";

/** Where files of ours lie in every container. */
export const supportDir = "/evalbatch";

export interface DockerSandboxParts {
  readonly container: TaskContainer;
  readonly facts: SandboxFacts;
  /** The working directory came empty with the container. */
  readonly freshWorkDir: boolean;
  /** Removes the container; never throws. */
  readonly remove: () => Promise<void>;
}

/** A sandbox over a container that runs. */
export function createDockerSandbox(parts: DockerSandboxParts): Sandbox {
  const { container } = parts;
  let execs = 0;
  /** How many commands had been started when the last look found nobody else. */
  let execsWhenQuiet = 0;
  let stopped: Promise<void> | undefined;
  const restart = () => restartContainer(container);
  const mustLive = (): void => {
    if (stopped !== undefined) throw new SandboxLostError(`the sandbox of ${container.key} is stopped`);
  };
  const stop = (): Promise<void> => {
    stopped ??= parts.remove();
    return stopped;
  };
  return {
    driver: "docker",
    workDir: container.workDir,
    supportDir,
    facts: parts.facts,
    async exec(request: ExecRequest) {
      mustLive();
      execs += 1;
      const result = await execInContainer(container, request, restart);
      // A command that was cut off by `stop` has no result.
      mustLive();
      return result;
    },
    async kindOf(path) {
      mustLive();
      return await kindOfInContainer(container, path);
    },
    async readFile(path, maxBytes) {
      mustLive();
      return await readFileInContainer(container, path, maxBytes);
    },
    async glob(pattern) {
      mustLive();
      return await globInContainer(container, pattern);
    },
    async putFiles(entries, destination = ".") {
      mustLive();
      const target = posix.resolve(container.workDir, destination);
      const pristine = execs === 0 && parts.freshWorkDir;
      await putFilesInto(container, [container.workDir, supportDir], target, entries, pristine);
    },
    async exportTo(hostDir, options) {
      mustLive();
      return await exportFromContainer(container, hostDir, options);
    },
    async quiesce(signal) {
      mustLive();
      const execsBefore = execs;
      if (execsWhenQuiet === execsBefore) return { killed: 0, restarted: false };
      const report = await quiesceContainer(container, restart, signal);
      execsWhenQuiet = execsBefore;
      return report;
    },
    async wasOutOfMemory() {
      if (container.ooms.count(container.id) > 0) return true;
      return (await inspectContainer(container)).State.OOMKilled;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
