import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { posix } from "node:path";
import type { FileEntry } from "../sandbox.ts";

export interface HostTreeOptions {
  /** Names that stay behind with all that is below them. */
  readonly isIgnored: (name: string) => boolean;
  /** Whether a file or link of this relative path comes along. Default: all, with empty directories too. */
  readonly isIncluded?: ((path: string) => boolean) | undefined;
  /** Sockets, fifos, devices and names that are not UTF-8. */
  readonly onSkipped: (path: string, reason: string) => void;
  readonly signal: AbortSignal;
}

/** Bigger files are streamed. */
const wholeBytes = 1 << 20;

/**
 * A directory of the host as entries for a sandbox, sorted by name. Links are never followed: they come as links, so that nothing outside
 * of `root` is read whatever they point at.
 * @throws the system's error when something can't be read, or the signal's reason
 */
export async function* readHostTree(root: string, options: HostTreeOptions, below = ""): AsyncGenerator<FileEntry> {
  const names = await readdir(posix.join(root, below), { encoding: "buffer" });
  for (const raw of names.sort(Buffer.compare)) {
    options.signal.throwIfAborted();
    const name = raw.toString("utf8");
    const path = below === "" ? name : `${below}/${name}`;
    if (options.isIgnored(name)) continue;
    if (!isUtf8(raw)) {
      options.onSkipped(path, "the name is not UTF-8");
      continue;
    }
    const full = posix.join(root, path);
    const stats = await lstat(full);
    const mode = stats.mode & 0o777;
    if (stats.isDirectory()) {
      // With a filter, only what it lets through makes its directories.
      if (options.isIncluded === undefined) yield { kind: "directory", path, mode: mode | 0o700 };
      yield* readHostTree(root, options, path);
    } else if (!stats.isFile() && !stats.isSymbolicLink()) {
      options.onSkipped(path, "neither a file nor a directory nor a link");
    } else if (options.isIncluded?.(path) !== false) {
      yield stats.isSymbolicLink()
        ? { kind: "symlink", path, target: await readlink(full) }
        : { kind: "file", path, mode, content: await contentOf(full, stats.size) };
    }
  }
}

type Content = Extract<FileEntry, { kind: "file" }>["content"];

async function contentOf(path: string, size: number): Promise<Content> {
  if (size <= wholeBytes) return await readFile(path);
  // `end`: a file that grows meanwhile must not give more bytes than were announced.
  return { size, open: () => createReadStream(path, { end: size - 1 }) };
}

/** Whether a link of a tree points out of it: it will point nowhere, or elsewhere, where the tree is copied to. */
export function linkLeavesTree(path: string, target: string): boolean {
  if (target.startsWith("/")) return true;
  const end = posix.normalize(posix.join(posix.dirname(path), target));
  return end === ".." || end.startsWith("../");
}
