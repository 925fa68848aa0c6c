import type { Stats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { type Walked, walkInside } from "../walk-inside.ts";

/**
 * Where a path ends on this machine, see `walkInside`.
 * @throws what `lstat` throws, except for "not there"
 */
export async function resolveInside(root: string, path: string): Promise<Walked<Stats>> {
  return await walkInside(root, path, async (at) => {
    const info = await lstatOrMissing(at);
    if (info === undefined) return undefined;
    if (info.isSymbolicLink()) return { kind: "link", target: await readlink(at) };
    return { kind: info.isDirectory() ? "directory" : "leaf", info };
  });
}

async function lstatOrMissing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP")) return undefined;
    throw error;
  }
}

/** Whether an error is one of these of the system. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}
