import { SandboxSetupError } from "../../errors.ts";
import type { FileEntry, Sandbox } from "../sandbox.ts";
import { copyError } from "./copy-error.ts";
import { readHostTree } from "./host-tree.ts";

/** A directory can hold a whole repository by mistake: what is beyond is not brought in. */
const maxBytes = 256 * 1024 * 1024;
const maxFiles = 20_000;

export interface CappedTreeOptions {
  /** For messages, e.g. `task directory /a/b`. */
  readonly name: string;
  /** Where in the sandbox; absolute. */
  readonly target: string;
  readonly isIgnored: (name: string) => boolean;
  /** What to do when it is too big. */
  readonly hint: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Copies a directory of this machine into a sandbox.
 * @throws SandboxSetupError `template_copy_error` when it can't be copied or is too big, SandboxLostError, or the signal's reason
 */
export async function putCappedTree(sandbox: Sandbox, directory: string, options: CappedTreeOptions): Promise<void> {
  const onSkipped = (path: string, reason: string): void => options.log(`${options.name}: left out ${path}: ${reason}`);
  const entries = readHostTree(directory, { isIgnored: options.isIgnored, onSkipped, signal: options.signal });
  try {
    await sandbox.putFiles(withCaps(entries, options), options.target, options.signal);
  } catch (error) {
    throw copyError(error, options.name, options.signal);
  }
}

async function* withCaps(entries: AsyncIterable<FileEntry>, { name, hint }: CappedTreeOptions): AsyncGenerator<FileEntry> {
  let bytes = 0;
  let files = 0;
  for await (const entry of entries) {
    files += 1;
    bytes += entry.kind === "file" ? (entry.content instanceof Uint8Array ? entry.content.length : entry.content.size) : 0;
    if (files > maxFiles || bytes > maxBytes) {
      throw new SandboxSetupError("template_copy_error", `${name} is over ${maxFiles} files or ${maxBytes / 1024 / 1024} MiB`, { hint });
    }
    yield entry;
  }
}
