import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { posix } from "node:path";
import { EnvironmentError, errorMessage } from "../../errors.ts";
import { compileGlob } from "../glob-match.ts";
import type { FileRead, PathKind } from "../sandbox.ts";
import { isCode, resolveInside } from "./confine.ts";
import { type HeldDirectory, holdDirectory, withHandle } from "./held-directory.ts";

function kindOfStats(stats: Stats): "file" | "directory" | "other" {
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "directory" : "other";
}

/** What has taken the place of `work` is `outside`. @throws EnvironmentError `unreadable` when a directory on the way may not be searched */
export async function kindOfInside(work: HeldDirectory, path: string): Promise<PathKind> {
  const found = await resolve(work, path);
  return found.kind === "found" ? kindOfStats(found.info) : found.kind;
}

/** Never waits: a fifo is `other` before it is opened. @throws EnvironmentError `unreadable` */
export async function readFileInside(work: HeldDirectory, path: string, maxBytes: number): Promise<FileRead> {
  return await withHandle(work.again(), async (own) => await readHeld(own, path, maxBytes));
}

async function readHeld(work: HeldDirectory, path: string, maxBytes: number): Promise<FileRead> {
  const found = await resolve(work, path);
  if (found.kind !== "found") return { kind: found.kind };
  const kind = kindOfStats(found.info);
  if (kind !== "file") return { kind };
  try {
    return await readBelow(work.path, posix.relative(work.at, found.path).split("/"), maxBytes);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return { kind: "missing" };
    throw unreadable(path, error);
  }
}

/** Step by step with a handle each: no part can be swapped for a link after it was looked at. */
async function readBelow(directory: string, parts: readonly string[], maxBytes: number): Promise<FileRead> {
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return await readRegular(`${directory}/${first}`, maxBytes);
  return await withHandle(holdDirectory(`${directory}/${first}`), async (held) => await readBelow(held.path, rest, maxBytes));
}

async function readRegular(path: string, maxBytes: number): Promise<FileRead> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    const kind = kindOfStats(stats);
    if (kind !== "file") return { kind };
    if (stats.size > maxBytes) return { kind: "too large", bytes: stats.size };
    const bytes = await handle.readFile();
    // It may have grown since; the kernel's own files (`/proc`) claim size 0.
    return bytes.length > maxBytes ? { kind: "too large", bytes: bytes.length } : { kind: "read", bytes };
  } finally {
    await handle.close();
  }
}

/**
 * Nothing when another directory has taken the place of `work`. Names that are not UTF-8 are left out: no pattern of a task file can mean
 * them.
 */
export async function globInside(work: HeldDirectory, pattern: string): Promise<string[]> {
  const matcher = compileGlob(pattern);
  if (work.state() !== "same") return [];
  const found: string[] = [];
  const walk = async (own: HeldDirectory, relative: string): Promise<void> => {
    for (const entry of await listDirectory(`${own.path}/${relative}`)) {
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (matcher.matches(path, entry.isDirectory)) found.push(path);
      if (entry.isDirectory && matcher.mayMatchBelow(path)) await walk(own, path);
    }
  };
  if (matcher.mayMatchBelow("")) await withHandle(work.again(), async (own) => await walk(own, ""));
  return found.sort(byCodePoint);
}

async function listDirectory(path: string): Promise<{ readonly name: string; readonly isDirectory: boolean }[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true, encoding: "buffer" });
    return entries
      .filter((entry) => isUtf8(entry.name))
      .map((entry) => ({ name: entry.name.toString("utf8"), isDirectory: entry.isDirectory() }));
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "ENAMETOOLONG")) return [];
    throw error;
  }
}

/** UTF-16 order differs from it for characters beyond U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function resolve(work: HeldDirectory, path: string): ReturnType<typeof resolveInside> {
  try {
    return work.state() === "replaced" ? { kind: "outside" } : await resolveInside(work.at, path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): EnvironmentError {
  return new EnvironmentError("unreadable", `cannot read ${path} in the sandbox: ${errorMessage(cause)}`, { cause });
}
