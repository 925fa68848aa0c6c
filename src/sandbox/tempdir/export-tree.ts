import { chmod, mkdir } from "node:fs/promises";
import { createReport, keptDirectoryMode } from "../export-report.ts";
import type { ExportOptions, ExportReport } from "../sandbox.ts";
import { isCode } from "./confine.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { copyFileTo, moveFileTo } from "./take-file.ts";
import { walkTree } from "./walk-tree.ts";

const inTheWay = "something else is in its place";

/**
 * Copies, or with `move` renames where that is possible, what is below `source` into `hostDir`, which is made. Directories and regular
 * files only; modes are kept but for set-uid, set-gid and sticky bits, and the owner can always read, write and enter. A full disk ends it
 * early: the report lists what is missing.
 * @throws the system's error when `hostDir` cannot be written for another reason, or the signal's reason
 */
export async function exportTree(source: HeldDirectory, hostDir: string, options: ExportOptions): Promise<ExportReport> {
  const report = createReport();
  let full = false;
  /** The directory that is being filled; nothing is put there once the disk is full. */
  let target = hostDir;

  /** `undefined` on a full disk, then and from then on. */
  const unlessFull = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
    if (full) return undefined;
    try {
      return await write();
    } catch (error) {
      if (!isCode(error, "ENOSPC", "EDQUOT")) throw error;
      full = true;
      return undefined;
    }
  };

  const fill = async (directory: HeldDirectory | undefined, enter: () => Promise<void>): Promise<void> => {
    const outer = target;
    if (directory !== undefined) target = directory.path;
    try {
      await enter();
    } finally {
      directory?.close();
      target = outer;
    }
  };

  const walk = (): Promise<void> =>
    walkTree(source, options, {
      file: async ({ path, name, place }, stats) => {
        if (!full && report.keptBytes() + stats.size > options.maxBytes) return report.leave(path, "over the size limit");
        const taken = await unlessFull(async () => {
          // A second name of the file may lie anywhere: a copy is nobody else's.
          const moved = options.move === true && stats.nlink === 1 ? await moveFileTo(place, `${target}/${name}`, stats) : undefined;
          return moved ?? (await copyFileTo(place, `${target}/${name}`));
        });
        if (taken === undefined) report.leave(path, "disk full");
        else if (taken.kind === "taken") report.keep(taken.bytes);
        else report.leave(path, taken.kind);
      },
      directory: async ({ path, name }, stats, enter) => {
        const made = await unlessFull(() => makeDirectory(`${target}/${name}`));
        if (made === "in the way") return report.leave(path, inTheWay);
        if (made === undefined) report.leave(path, "disk full");
        await fill(made, async () => {
          await enter();
          // Last: a directory without the right to write must take its files first.
          if (made !== undefined) await chmod(made.path, keptDirectoryMode(stats.mode));
        });
      },
      unwanted: async ({ path }, reason) => report.leave(path, reason),
    });

  const top = await unlessFull(async () => {
    await mkdir(hostDir, { recursive: true });
    return holdDirectory(hostDir);
  });
  await fill(top, walk);
  return report.finish();
}

/** Neither made nor entered through a link that stands there already. */
async function makeDirectory(path: string): Promise<HeldDirectory | "in the way"> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
  try {
    return holdDirectory(path);
  } catch (error) {
    if (isCode(error, "ENOTDIR", "ELOOP")) return "in the way";
    throw error;
  }
}
