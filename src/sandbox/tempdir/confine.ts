import type { Stats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { posix } from "node:path";

/** Where a path ends when links are followed as the kernel does, never leaving `root`. */
export type Resolved =
  | { readonly kind: "found"; readonly path: string; readonly stats: Stats }
  /** `path` is where the last part would be, when only that is missing. */
  | { readonly kind: "missing"; readonly path: string | undefined }
  | { readonly kind: "outside" };

const maxLinks = 40;

/**
 * Walks `path` (relative to `root`, or absolute inside it) part by part. A part that leads above `root`, and a link to an absolute place
 * elsewhere, is `outside`, also where the target does not exist. `root` must be a real path. Not proof against a process that swaps
 * parts meanwhile: nothing of the task may run (`quiesce`).
 * @throws what `lstat` throws, except for "not there"
 */
export async function resolveInside(root: string, path: string): Promise<Resolved> {
  if (path.includes("\0")) return { kind: "missing", path: undefined };
  const first = partsBelow(root, path);
  if (first === undefined) return { kind: "outside" };
  let todo = first;
  let here: string[] = [];
  let links = 0;
  const top = await lstatOrMissing(root);
  if (top === undefined) return { kind: "missing", path: undefined };
  let stats = top;
  while (todo.length > 0) {
    const [part = "", ...rest] = todo;
    todo = rest;
    if (part === "" || part === ".") continue;
    if (!stats.isDirectory()) return { kind: "missing", path: undefined };
    if (part === "..") {
      if (here.length === 0) return { kind: "outside" };
      here = here.slice(0, -1);
      stats = await lstat(posix.join(root, ...here));
      continue;
    }
    const next = posix.join(root, ...here, part);
    const found = await lstatOrMissing(next);
    if (found === undefined) {
      return leavesRoot(here.length + 1, todo) ? { kind: "outside" } : { kind: "missing", path: todo.length === 0 ? next : undefined };
    }
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > maxLinks) return { kind: "missing", path: undefined };
      const target = await readlink(next);
      const below = target.startsWith("/") ? partsBelow(root, target) : target.split("/");
      if (below === undefined) return { kind: "outside" };
      if (target.startsWith("/")) {
        here = [];
        stats = top;
      }
      todo = [...below, ...todo];
      continue;
    }
    here = [...here, part];
    stats = found;
  }
  return { kind: "found", path: posix.join(root, ...here), stats };
}

function partsBelow(root: string, path: string): string[] | undefined {
  if (!path.startsWith("/")) return path.split("/");
  if (path === root) return [];
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1).split("/") : undefined;
}

/** `nothing/../../../etc`: missing for the kernel, but plainly meant to lead out. */
function leavesRoot(depth: number, rest: readonly string[]): boolean {
  let level = depth;
  for (const part of rest) {
    if (part === "..") level -= 1;
    else if (part !== "" && part !== ".") level += 1;
    if (level < 0) return true;
  }
  return false;
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
