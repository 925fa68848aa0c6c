import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { EnvironmentError, errorMessage } from "../errors.ts";

const batchUnits = 1 << 20;
/** A UTF-16 unit in UTF-8. */
const maxBytesPerUnit = 3;

/**
 * Writes a whole file or none: into `<path>.tmp`, flushed to the disk, then renamed over `path`. The chunks are written as they
 * come, so that a huge file needs no huge string.
 * @throws EnvironmentError `disk-full` or `cannot-write`
 */
export async function writeFileAtomic(path: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    // A leftover of a killed run, or a link that somebody laid there, is removed, never followed.
    await rm(temporary, { force: true });
    const file = await open(temporary, "wx");
    try {
      await writeChunks(file, chunks);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw storageError(error, path);
  }
}

async function writeChunks(file: FileHandle, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let pending: string[] = [];
  let units = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    units += chunk.length;
    if (units < batchUnits) continue;
    await file.writeFile(encoded(pending, units));
    pending = [];
    units = 0;
  }
  if (units > 0) await file.writeFile(encoded(pending, units));
}

/** Each chunk by itself: joined first, one character beyond Latin-1 in one of them would make all of them slow. */
function encoded(chunks: readonly string[], units: number): Buffer | string {
  if (chunks.length === 1) return chunks[0] ?? "";
  const buffer = Buffer.allocUnsafeSlow(units * maxBytesPerUnit);
  let length = 0;
  for (const chunk of chunks) length += buffer.write(chunk, length);
  return buffer.subarray(0, length);
}

/** Makes the rename survive a power cut; not every file system can. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, "r");
    await directory.sync().finally(() => directory.close());
  } catch {
    // The file itself is whole either way.
  }
}

/** What a failed write means to the user; errors that are no system errors come back as they are. */
export function storageError(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new EnvironmentError("disk-full", `no space left to write ${path}`, {
      cause: error,
      hint: "free disk space or choose another run directory, then resume the run",
    });
  }
  return new EnvironmentError("cannot-write", `cannot write ${path}: ${errorMessage(error)}`, {
    cause: error,
    hint: "check that the run directory exists and belongs to you",
  });
}

/** The code of a system error, e.g. `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code)
    ? error.code
    : undefined;
}

/**
 * Makes a directory and those above it.
 * @returns the first one that was not there; undefined where all were
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true });
  } catch (error) {
    throw storageError(error, path);
  }
}
