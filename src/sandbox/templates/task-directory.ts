import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import type { FileEntry, Sandbox } from "../sandbox.ts";
import { copyError } from "./copy-error.ts";
import { readHostTree } from "./host-tree.ts";
import { createIgnore } from "./ignore-list.ts";

export interface TaskDirectoryOptions {
  /** Lines of the criteria: the directory is brought in only when one of them mentions `TASK_DIR`. */
  readonly commands: readonly string[];
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A directory of task files can hold a whole repository by mistake: what is beyond is not brought in. */
const maxBytes = 256 * 1024 * 1024;
const maxFiles = 20_000;

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
  const onSkipped = (path: string, reason: string): void => options.log(`task directory: left out ${path}: ${reason}`);
  const entries = readHostTree(taskDir, { isIgnored: createIgnore([]), onSkipped, signal: options.signal });
  try {
    await sandbox.putFiles(withCaps(entries, taskDir), target, options.signal);
  } catch (error) {
    throw copyError(error, `task directory ${taskDir}`, options.signal);
  }
  return target;
}

async function* withCaps(entries: AsyncIterable<FileEntry>, name: string): AsyncGenerator<FileEntry> {
  let bytes = 0;
  let files = 0;
  for await (const entry of entries) {
    files += 1;
    bytes += entry.kind === "file" ? (entry.content instanceof Uint8Array ? entry.content.length : entry.content.size) : 0;
    if (files > maxFiles || bytes > maxBytes) {
      throw new SandboxSetupError(
        "template_copy_error",
        `task directory ${name} is over ${maxFiles} files or ${maxBytes / 1024 / 1024} MiB`,
        {
          hint: "put the task file into a directory with only what its commands need",
        },
      );
    }
    yield entry;
  }
}
