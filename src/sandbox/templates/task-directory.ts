import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { Sandbox } from "../sandbox.ts";
import { putCappedTree } from "./capped-tree.ts";
import { createIgnore } from "./ignore-list.ts";

export interface TaskDirectoryOptions {
  /** Lines of the criteria: the directory is brought in only when one of them mentions `TASK_DIR`. */
  readonly commands: readonly string[];
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The directory of the task file, for `TASK_DIR` of criterion commands: the directory itself on the host, a copy in a container. To be called
 * after the agent's processes are dead (`quiesce`): the directory holds what criteria check with. Gives its path inside the sandbox,
 * `undefined` when no command asks for it.
 * @throws SandboxSetupError `template_copy_error` when it can't be copied or is too big, SandboxLostError, or the signal's reason
 */
export async function provideTaskDir(sandbox: Sandbox, taskDir: string, options: TaskDirectoryOptions): Promise<string | undefined> {
  if (sandbox.driver === "tempdir") return taskDir;
  if (!options.commands.some((command) => command.includes("TASK_DIR"))) return undefined;
  // A name that nobody could know before: what the agent planted at a fixed one would lie beside the checks.
  const target = posix.join(sandbox.supportDir, randomBytes(12).toString("hex"), "task");
  await putCappedTree(sandbox, taskDir, {
    name: `task directory ${taskDir}`,
    target,
    isIgnored: createIgnore([]),
    hint: "put the task file into a directory with only what its commands need",
    log: options.log,
    signal: options.signal,
  });
  return target;
}
