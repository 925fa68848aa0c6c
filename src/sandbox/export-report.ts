import type { ExportReport } from "./sandbox.ts";

/** As many entries as a report names; the rest is counted. */
export const maxLeftOut = 1000;

/** Counts what an export does. */
export interface ReportWriter {
  readonly keep: (bytes: number) => void;
  readonly leave: (path: string, reason: string) => void;
  /** As `leave`, but named whatever it takes the place of. */
  readonly leaveForSure: (path: string, reason: string) => void;
  readonly keptFiles: () => number;
  readonly keptBytes: () => number;
  readonly finish: () => ExportReport;
}

export function createReport(): ReportWriter {
  const leftOut: { path: string; reason: string }[] = [];
  let leftOutCount = 0;
  let files = 0;
  let bytes = 0;
  return {
    keep: (size) => {
      files += 1;
      bytes += size;
    },
    leave: (path, reason) => {
      leftOutCount += 1;
      if (leftOut.length < maxLeftOut) leftOut.push({ path, reason });
    },
    leaveForSure: (path, reason) => {
      leftOutCount += 1;
      leftOut.splice(maxLeftOut - 1, 1);
      leftOut.push({ path, reason });
    },
    keptFiles: () => files,
    keptBytes: () => bytes,
    finish: () => ({ files, bytes, leftOut, leftOutCount }),
  };
}

/** The mode that a kept file has: no set-uid, set-gid and sticky bits, and its owner can read and write it. */
export function keptFileMode(mode: number): number {
  return (mode & 0o777) | 0o600;
}

/** The mode that a kept directory has. */
export function keptDirectoryMode(mode: number): number {
  return (mode & 0o777) | 0o700;
}
