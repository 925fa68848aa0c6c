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

/** Left free for results and logs, in bytes; above `stopBelow`, so that keeping one task's files does not end the batch. */
const reserveBytes = 200 * 1024 * 1024;

/** How many bytes of files may be put below a directory: `wanted`, or what its disk can spare. All of them where it cannot be asked. */
export function spareBytes(directory: string, wanted: number): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return Math.max(0, Math.min(wanted, bavail * bsize - reserveBytes));
  } catch {
    return wanted;
  }
}

/** Pure part of `checkDiskSpace`. */
export function judgeFreeBytes(freeBytes: number): DiskSpace {
  if (freeBytes < stopBelow) return { kind: "full", freeBytes };
  return freeBytes < warnBelow ? { kind: "low", freeBytes } : { kind: "enough" };
}
