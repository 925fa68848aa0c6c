import { constants, fstatSync, lstatSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { keptFileMode } from "../export-report.ts";
import { isCode } from "./confine.ts";
import { setModeWithoutLinks } from "./held-directory.ts";
import { removeTree } from "./leftovers.ts";

export type Taken =
  | { readonly kind: "taken"; readonly bytes: number }
  | { readonly kind: "changed meanwhile" | "cannot be read" | "something else is in its place" };

/** Renames; `undefined` where only a copy can do. `stats` are those of `source`. @throws the system's error, `ENOSPC` above all */
export async function moveFileTo(source: string, target: string, stats: Stats): Promise<Taken | undefined> {
  try {
    await rename(source, target);
  } catch (error) {
    if (isCode(error, "ENOENT")) return { kind: "changed meanwhile" };
    if (isCode(error, "EXDEV", "EISDIR", "EACCES", "EPERM")) return undefined;
    throw error;
  }
  // A rename takes whatever has the name by now.
  if (!lstatSync(target).isFile()) {
    await removeTree(target);
    return { kind: "changed meanwhile" };
  }
  const mode = keptFileMode(stats.mode);
  if ((stats.mode & 0o7777) !== mode) setModeWithoutLinks(target, mode);
  return { kind: "taken", bytes: stats.size };
}

/** Leaves nothing of a copy that did not succeed. @throws the system's error, `ENOSPC` above all */
export async function copyFileTo(source: string, target: string): Promise<Taken> {
  let from: FileHandle;
  try {
    from = await openForRead(source);
  } catch (error) {
    if (isCode(error, "ENOENT", "ELOOP", "ENXIO")) return { kind: "changed meanwhile" };
    if (isCode(error, "EACCES", "EPERM")) return { kind: "cannot be read" };
    throw error;
  }
  try {
    const stats = fstatSync(from.fd);
    if (!stats.isFile()) return { kind: "changed meanwhile" };
    if (!(await makeRoom(target))) return { kind: "something else is in its place" };
    const mode = keptFileMode(stats.mode);
    const to = await open(target, "wx", mode);
    try {
      // No more than was counted, even if somebody still writes.
      if (stats.size > 0) await to.writeFile(from.createReadStream({ autoClose: false, end: stats.size - 1 }));
      await to.chmod(mode);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    } finally {
      await to.close();
    }
    return { kind: "taken", bytes: stats.size };
  } finally {
    await from.close();
  }
}

async function makeRoom(target: string): Promise<boolean> {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return false;
  if (found !== undefined) await rm(target, { force: true });
  return true;
}

async function openForRead(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return await open(path, flags);
  } catch (error) {
    if (!isCode(error, "EACCES")) throw error;
  }
  // Its owner closed it (mode 000): opened for the copy, closed again after.
  const { mode } = await lstat(path);
  setModeWithoutLinks(path, 0o400);
  try {
    return await open(path, flags);
  } finally {
    setModeWithoutLinks(path, mode & 0o777);
  }
}
