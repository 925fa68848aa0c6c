import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { createNameMatcher } from "../../plan/files/name-patterns.ts";
import { isCode } from "./confine.ts";
import { type HeldDirectory, holdDirectory, withHandle } from "./held-directory.ts";

/** Deeper trees are not for people; every level costs an open handle meanwhile. */
const maxDepth = 100;

export interface TreeEntry {
  /** Relative to the top, for people. */
  readonly path: string;
  readonly name: string;
  /** Where it stands: below a handle of its directory, so that only its own name can change its meaning. */
  readonly place: string;
}

export interface TreeVisitor {
  file(entry: TreeEntry, stats: Stats): Promise<void>;
  /** Called with the directory held; `enter` visits what is in it. */
  directory(entry: TreeEntry, stats: Stats, enter: () => Promise<void>): Promise<void>;
  /** Nothing to keep: excluded, a link, a device … `raw` is its place when the name is not UTF-8. */
  unwanted(entry: TreeEntry, reason: string, raw?: Buffer): Promise<void>;
}

/**
 * Visits what is below `top`, in the order of the names' bytes, links not followed, not even those that take a directory's place meanwhile.
 * @throws what the visitor throws, or the signal's reason
 */
export async function walkTree(
  top: HeldDirectory,
  options: { readonly exclude: readonly string[]; readonly signal: AbortSignal },
  visitor: TreeVisitor,
): Promise<void> {
  const isExcluded = createNameMatcher(options.exclude);

  const enter = async (entry: TreeEntry, stats: Stats, depth: number): Promise<void> => {
    let held: HeldDirectory;
    try {
      held = holdDirectory(entry.place);
    } catch (error) {
      if (isCode(error, "ENOENT")) return;
      await visitor.unwanted(entry, isCode(error, "ENOTDIR", "ELOOP") ? "changed meanwhile" : "cannot be read");
      return;
    }
    await withHandle(held, async () => await visitor.directory(entry, stats, () => walk(held, entry, depth)));
  };

  const walk = async (held: HeldDirectory, directory: TreeEntry | undefined, depth: number): Promise<void> => {
    options.signal.throwIfAborted();
    const names = await readNames(held);
    if (names === undefined) {
      await visitor.unwanted(directory ?? { path: ".", name: ".", place: held.path }, "cannot be read");
      return;
    }
    for (const raw of names) {
      options.signal.throwIfAborted();
      const name = raw.toString("utf8");
      const entry = { name, path: directory === undefined ? name : `${directory.path}/${name}`, place: `${held.path}/${name}` };
      if (!isUtf8(raw)) {
        const reason = isExcluded(name) ? "excluded" : "name is not UTF-8";
        await visitor.unwanted(entry, reason, Buffer.concat([Buffer.from(`${held.path}/`), raw]));
        continue;
      }
      if (isExcluded(name)) {
        await visitor.unwanted(entry, "excluded");
        continue;
      }
      const stats = await lstatIfThere(entry.place);
      if (stats === undefined) continue;
      if (stats.isFile()) await visitor.file(entry, stats);
      else if (!stats.isDirectory()) await visitor.unwanted(entry, kindWord(stats));
      else if (depth >= maxDepth) await visitor.unwanted(entry, "nested too deep");
      else await enter(entry, stats, depth + 1);
    }
  };

  await walk(top, undefined, 0);
}

function kindWord(stats: Stats): string {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}

/** Sorted, so that two exports of one tree report alike. A directory that its owner closed is opened. */
async function readNames(held: HeldDirectory): Promise<Buffer[] | undefined> {
  held.open();
  try {
    return (await readdir(held.path, { encoding: "buffer" })).sort(Buffer.compare);
  } catch {
    return undefined;
  }
}

async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}
