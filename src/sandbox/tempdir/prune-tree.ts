import { randomBytes } from "node:crypto";
import { chmod, rename } from "node:fs/promises";
import { posix } from "node:path";
import { createReport, keptDirectoryMode, keptFileMode } from "../export-report.ts";
import type { ExportOptions, ExportReport } from "../sandbox.ts";
import { type HeldDirectory, setModeWithoutLinks } from "./held-directory.ts";
import { removeTree } from "./leftovers.ts";
import { type TreeEntry, walkTree } from "./walk-tree.ts";

/**
 * An export onto itself: removes below `top` all that an export leaves out, and gives the rest the modes that an export gives.
 * Nothing is ever removed through a link.
 * @throws the system's error when a mode cannot be set, or the signal's reason
 */
export async function pruneTree(top: HeldDirectory, options: ExportOptions): Promise<ExportReport> {
  const report = createReport();
  const remove = async ({ path, place }: Pick<TreeEntry, "path" | "place">, reason: string, raw?: Buffer): Promise<void> => {
    // The tools that remove what resists take text.
    const plain = raw === undefined ? place : `${posix.dirname(place)}/.removed-${randomBytes(12).toString("hex")}`;
    try {
      if (raw !== undefined) await rename(raw, plain);
      await removeTree(plain);
      report.leave(path, reason);
    } catch {
      report.leave(path, `${reason}, and it could not be removed`);
    }
  };

  await walkTree(top, options, {
    file: async (entry, stats) => {
      if (report.keptBytes() + stats.size > options.maxBytes) return await remove(entry, "over the size limit");
      const mode = keptFileMode(stats.mode);
      // A file with a second name may be the host's own.
      if ((stats.mode & 0o7777) !== mode && stats.nlink === 1) setModeWithoutLinks(entry.place, mode);
      report.keep(stats.size);
    },
    directory: async (entry, stats, enter) => {
      await enter();
      const mode = keptDirectoryMode(stats.mode);
      if ((stats.mode & 0o7777) !== mode) setModeWithoutLinks(entry.place, mode);
    },
    unwanted: async (entry, reason, raw) => {
      if (entry.path === ".") report.leave(entry.path, reason);
      else await remove(entry, reason, raw);
    },
  });
  // As a directory that was made for an export.
  await chmod(top.path, 0o755);
  return report.finish();
}
