import { statfsSync } from "node:fs";

/** Below this much free space no further task is started, in bytes: results of running ones still have to fit. */
const stopBelow = 100 * 1024 * 1024;
/** Below this much a run starts with a warning, in bytes. */
const warnBelow = 1024 * 1024 * 1024;

export type DiskSpace = { readonly kind: "enough" } | { readonly kind: "low" | "full"; readonly freeBytes: number };

/** How much room the disk of a directory has. An unreadable answer counts as enough: then the writes themselves will tell. */
export function checkDiskSpace(directory: string): DiskSpace {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return judgeFreeBytes(bavail * bsize);
  } catch {
    return { kind: "enough" };
  }
}

/** Pure part of `checkDiskSpace`. */
export function judgeFreeBytes(freeBytes: number): DiskSpace {
  if (freeBytes < stopBelow) return { kind: "full", freeBytes };
  return freeBytes < warnBelow ? { kind: "low", freeBytes } : { kind: "enough" };
}
