import { chmod, type FileHandle, lstat, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Header } from "tar-stream";
import { createNameMatcher } from "../plan/files/name-patterns.ts";
import { createReport, keptDirectoryMode, keptFileMode } from "./export-report.ts";
import type { ExportOptions, ExportReport } from "./sandbox.ts";
import { nameOf, placeOf, printableName, readTar } from "./tar-reader.ts";

/** Deeper trees are not for people; the system's limit on a path's length is near. */
const maxDepth = 100;
const maxEntries = 1_000_000;
/** Bytes of content that are read only to get past it: a file without content of its own may claim any size. */
const maxSkippedBytes = 2 * 1024 ** 3;

/**
 * Writes a hostile tar stream below `hostDir`, which is made: directories and regular files only, under their own names, never through a
 * link and never above. The first part of every name (the directory that was packed) is dropped. Modes are kept but for set-uid, set-gid
 * and sticky bits, and the owner, who is us, can always read and write. On a full disk the rest is only listed.
 * Where more than `skippable` bytes are left out, the export ends, and the report says after which entry.
 * @throws what the stream throws, the system's error when `hostDir` cannot be written, or the signal's reason
 */
export async function extractTar(
  source: Readable,
  hostDir: string,
  options: ExportOptions,
  skippable = maxSkippedBytes,
): Promise<ExportReport> {
  const report = createReport();
  const { leave } = report;
  let entries = 0;
  let full = false;
  const isExcluded = createNameMatcher(options.exclude);
  const directories = createDirectories(hostDir);
  await directories.ensure([]);

  const take = async (header: Header, content: AsyncIterable<Uint8Array>): Promise<void> => {
    const name = nameOf(header);
    const place = placeOf(name);
    if (place.problem !== undefined) return leave(printableName(name), place.problem);
    const { parts } = place;
    if (parts.length === 0) return;
    if (!isValidHere(parts)) return leave(parts.join("/"), "name is not allowed on this machine");
    const path = parts.join("/");
    const excluded = parts.findIndex((part) => isExcluded(part));
    // Only its topmost directory is worth a line.
    if (excluded >= 0) return excluded === parts.length - 1 ? leave(path, "excluded") : undefined;
    if (parts.length > maxDepth) return parts.length === maxDepth + 1 ? leave(path, "nested too deep") : undefined;
    if (header.type === "directory") {
      const problem = await directories.ensure(parts, header.mode);
      return problem === undefined ? undefined : leave(path, problem);
    }
    if (header.type !== "file" && header.type !== "contiguous-file") return leave(path, kindWord(header.type));
    const size = header.size ?? 0;
    if (report.keptBytes() + size > options.maxBytes) return leave(path, "over the size limit");
    if (entries > maxEntries) return leave(path, "too many files");
    if (full) return leave(path, diskFull);
    const problem = (await directories.ensure(parts.slice(0, -1))) ?? (await writeFile(join(hostDir, ...parts), header.mode, content));
    full = problem === diskFull;
    if (problem !== undefined) return leave(path, problem);
    report.keep(size);
  };

  let skipped = 0;
  for await (const { header, content } of readTar(source)) {
    options.signal.throwIfAborted();
    entries += 1;
    const before = report.keptFiles();
    await take(header, content);
    if (report.keptFiles() === before) skipped += header.size ?? 0;
    if (skipped > skippable) {
      const name = printableName(nameOf(header)).replace(/^[^/]*\//, "");
      report.leaveForSure(name, "too much is left out: what comes after it was not looked at");
      break;
    }
  }
  await directories.close();
  return report.finish();
}

function isValidHere(parts: readonly string[]): boolean {
  return process.platform !== "win32" || !parts.some((part) => /[<>:"\\|?*]|[. ]$/.test(part));
}

function kindWord(type: Header["type"]): string {
  if (type === "symlink" || type === "link") return "link";
  return type === "fifo" ? "fifo" : "device";
}

/** Directories that were made or looked at: each is a real one, so that no write goes through a link. */
function createDirectories(hostDir: string) {
  const known = new Map<string, number | undefined>();
  const ensure = async (parts: readonly string[], mode?: number): Promise<string | undefined> => {
    const path = join(hostDir, ...parts);
    if (!known.has(path)) {
      const problem = parts.length === 0 ? await makeTop(path) : ((await ensure(parts.slice(0, -1))) ?? (await makeDirectory(path)));
      if (problem !== undefined) return problem;
      known.set(path, undefined);
    }
    if (mode !== undefined) known.set(path, mode);
    return undefined;
  };
  return {
    /** A reason not to use it, or nothing. */
    ensure,
    /** Modes last: a directory without write permission must take its files first. */
    async close() {
      for (const [path, mode] of known) if (mode !== undefined) await chmod(path, keptDirectoryMode(mode));
    },
  };
}

async function makeTop(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { recursive: true });
    return undefined;
  } catch (error) {
    if (isFull(error)) return diskFull;
    throw error;
  }
}

async function makeDirectory(path: string): Promise<string | undefined> {
  try {
    await mkdir(path);
    return undefined;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return (await lstat(path)).isDirectory() ? undefined : "something else is in its place";
    if (codeOf(error) === "ENAMETOOLONG") return "name is too long";
    if (isFull(error)) return diskFull;
    throw error;
  }
}

async function writeFile(path: string, mode: number | undefined, content: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const wanted = keptFileMode(mode ?? 0o644);
  try {
    const existing = await lstat(path).catch(() => undefined);
    if (existing?.isDirectory() === true) return "a directory is in its place";
    if (existing !== undefined) await rm(path);
    // "wx" neither follows a link nor opens what somebody else has put there.
    const handle = await open(path, "wx", wanted);
    try {
      if (!(await fill(handle, content))) {
        await rm(path);
        return diskFull;
      }
      await handle.chmod(wanted);
    } finally {
      await handle.close();
    }
    return undefined;
  } catch (error) {
    if (codeOf(error) === "ENAMETOOLONG") return "name is too long";
    if (isFull(error)) return diskFull;
    throw error;
  }
}

/** Whether there was room for it. Read to its end in any case: an entry that is left early would take the archive with it. */
async function fill(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<boolean> {
  let hasRoom = true;
  for await (const chunk of content) {
    if (!hasRoom) continue;
    try {
      await handle.writeFile(chunk);
    } catch (error) {
      if (!isFull(error)) throw error;
      hasRoom = false;
    }
  }
  return hasRoom;
}

const diskFull = "disk full";

function isFull(error: unknown): boolean {
  return codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
