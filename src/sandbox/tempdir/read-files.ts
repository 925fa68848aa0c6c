import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { posix } from "node:path";
import { EnvironmentError, errorMessage } from "../../errors.ts";
import { compileGlob } from "../glob-match.ts";
import type { FileRead, PathKind } from "../sandbox.ts";
import { isCode, resolveInside } from "./confine.ts";

function kindOfStats(stats: Stats): "file" | "directory" | "other" {
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "directory" : "other";
}

/** @throws EnvironmentError `unreadable` when a directory on the way may not be searched */
export async function kindOfInside(workDir: string, path: string): Promise<PathKind> {
  const found = await resolve(workDir, path);
  return found.kind === "found" ? kindOfStats(found.info) : found.kind;
}

/** Never waits: a fifo is `other` before it is opened. @throws EnvironmentError `unreadable` */
export async function readFileInside(workDir: string, path: string, maxBytes: number): Promise<FileRead> {
  const found = await resolve(workDir, path);
  if (found.kind !== "found") return { kind: found.kind };
  const kind = kindOfStats(found.info);
  if (kind !== "file") return { kind };
  try {
    return await readRegular(found.path, maxBytes);
  } catch (error) {
    if (isCode(error, "ENOENT", "ELOOP")) return { kind: "missing" };
    throw unreadable(path, error);
  }
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

/** Names that are not UTF-8 are left out: no pattern of a task file can mean them. */
export async function globInside(workDir: string, pattern: string): Promise<string[]> {
  const matcher = compileGlob(pattern);
  const found: string[] = [];
  const walk = async (relative: string): Promise<void> => {
    for (const entry of await listDirectory(posix.join(workDir, relative))) {
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (matcher.matches(path, entry.isDirectory)) found.push(path);
      if (entry.isDirectory && matcher.mayMatchBelow(path)) await walk(path);
    }
  };
  if (matcher.mayMatchBelow("")) await walk("");
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

async function resolve(workDir: string, path: string): ReturnType<typeof resolveInside> {
  try {
    return await resolveInside(workDir, path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): EnvironmentError {
  return new EnvironmentError("unreadable", `cannot read ${path} in the sandbox: ${errorMessage(cause)}`, { cause });
}
