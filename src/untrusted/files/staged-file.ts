import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { EnvironmentError, errorMessage } from "../../errors.ts";

/** A file that is being made in staging. */
export interface StagedFile {
  readonly bytes: number;
  /** Whether it still fits; what does not is not written. @throws EnvironmentError `disk-full`, `cannot-write` */
  write(piece: Uint8Array): boolean;
  close(): void;
  /** Closes and removes it. */
  discard(): void;
}

/** @throws EnvironmentError `disk-full`, `cannot-write` */
export function createStagedFile(path: string, maxBytes: number): StagedFile {
  const fd = orStagingError(path, () => openSync(path, "wx", 0o644));
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    write(piece) {
      if (bytes + piece.length > maxBytes) return false;
      for (let at = 0; at < piece.length; ) at += orStagingError(path, () => writeSync(fd, piece, at));
      bytes += piece.length;
      return true;
    },
    close: () => closeSync(fd),
    discard() {
      closeSync(fd);
      unlinkSync(path);
    },
  };
}

/** What staging can't do is no fault of a file in the tree: it ends the copying. */
export function orStagingError<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOSPC" || code === "EDQUOT") {
      throw new EnvironmentError("disk-full", `no space left to copy results to ${path}`, {
        cause: error,
        hint: "free disk space for the runner's temporary directory, or publish less: `upload: results` leaves the files of tasks out",
      });
    }
    throw new EnvironmentError("cannot-write", `cannot write ${path}: ${errorMessage(error)}`, {
      cause: error,
      hint: "check that the runner's temporary directory exists and belongs to the user that runs this",
    });
  }
}
