import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { posix } from "node:path";
import { createNameMatcher } from "../name-patterns.ts";
import type { ExportOptions, ExportReport } from "../sandbox.ts";
import { isCode } from "./confine.ts";
import { throwIfDiskFull } from "./disk-full.ts";

const maxLeftOut = 1000;
/** Deeper trees are not for people; the system's limit on a path's length is near. */
const maxDepth = 100;

/**
 * Copies, or with `move` renames where that is possible, what is below `workDir` into `hostDir`, which is made. Directories and regular
 * files only; modes are kept but for set-uid, set-gid and sticky bits, and the owner can always read, write and enter.
 * @throws EnvironmentError `disk-full`, the system's error when `hostDir` cannot be written, or the signal's reason
 */
export async function exportTree(workDir: string, hostDir: string, options: ExportOptions): Promise<ExportReport> {
  const leftOut: { path: string; reason: string }[] = [];
  let leftOutCount = 0;
  let files = 0;
  let bytes = 0;
  const leave = (path: string, reason: string): void => {
    leftOutCount += 1;
    if (leftOut.length < maxLeftOut) leftOut.push({ path, reason });
  };
  const isExcluded = createNameMatcher(options.exclude);

  const takeFile = async (relative: string, size: number): Promise<void> => {
    if (bytes + size > options.maxBytes) {
      leave(relative, "over the size limit");
      return;
    }
    const source = posix.join(workDir, relative);
    const target = posix.join(hostDir, relative);
    const taken = options.move === true && (await renameIfPossible(source, target)) ? size : await copyRegular(source, target);
    if (taken === undefined) {
      leave(relative, "not a regular file");
      return;
    }
    files += 1;
    bytes += taken;
  };

  const walk = async (relative: string, depth: number): Promise<void> => {
    options.signal.throwIfAborted();
    const names = await readNames(posix.join(workDir, relative));
    if (names === undefined) {
      leave(relative, "cannot be read");
      return;
    }
    for (const raw of names) {
      const name = raw.toString("utf8");
      const path = relative === "" ? name : `${relative}/${name}`;
      if (isExcluded(name)) {
        leave(path, "excluded");
        continue;
      }
      if (!isUtf8(raw)) {
        leave(path, "name is not UTF-8");
        continue;
      }
      options.signal.throwIfAborted();
      const stats = await lstatIfThere(posix.join(workDir, path));
      if (stats === undefined) continue;
      if (stats.isFile()) await takeFile(path, stats.size);
      else if (!stats.isDirectory()) leave(path, kindWord(stats));
      else if (depth >= maxDepth) leave(path, "nested too deep");
      else {
        const target = posix.join(hostDir, path);
        await mkdir(target, { recursive: true });
        await walk(path, depth + 1);
        await chmod(target, (stats.mode & 0o777) | 0o700);
      }
    }
  };

  try {
    await mkdir(hostDir, { recursive: true });
    await walk("", 0);
  } catch (error) {
    throwIfDiskFull(error, hostDir);
    throw error;
  }
  return { files, bytes, leftOut, leftOutCount };
}

function kindWord(stats: Stats): string {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}

/** Sorted, so that two exports of one tree report alike. A directory that its owner closed is opened. */
async function readNames(path: string): Promise<Buffer[] | undefined> {
  const read = async (): Promise<Buffer[]> => (await readdir(path, { encoding: "buffer" })).sort(Buffer.compare);
  try {
    return await read();
  } catch (error) {
    if (!isCode(error, "EACCES", "EPERM")) return undefined;
  }
  try {
    await chmod(path, 0o700);
    return await read();
  } catch {
    return undefined;
  }
}

async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

async function renameIfPossible(source: string, target: string): Promise<boolean> {
  try {
    await rename(source, target);
  } catch (error) {
    if (isCode(error, "EXDEV", "EISDIR", "EACCES", "EPERM")) return false;
    throw error;
  }
  return true;
}

/** Bytes copied; `undefined` when it is no regular file after all. */
async function copyRegular(source: string, target: string): Promise<number | undefined> {
  const from = await openForRead(source);
  try {
    const stats = await from.stat();
    if (!stats.isFile()) return undefined;
    await rm(target, { force: true });
    const mode = (stats.mode & 0o777) | 0o600;
    const to = await open(target, "wx", mode);
    try {
      // No more than was counted, even if somebody still writes.
      if (stats.size > 0) await to.writeFile(from.createReadStream({ autoClose: false, end: stats.size - 1 }));
      await to.chmod(mode);
    } finally {
      await to.close();
    }
    return stats.size;
  } finally {
    await from.close();
  }
}

async function openForRead(path: string): ReturnType<typeof open> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return await open(path, flags);
  } catch (error) {
    if (!isCode(error, "EACCES")) throw error;
  }
  // Its owner closed it (mode 000): opened for the copy, closed again after.
  const { mode } = await lstat(path);
  await chmod(path, 0o400);
  try {
    return await open(path, flags);
  } finally {
    await chmod(path, mode & 0o777);
  }
}
