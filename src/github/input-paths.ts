import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { quote } from "./input-types.ts";

export interface ResolvedPath {
  /** Absolute. */
  readonly path: string;
  readonly problem?: string | undefined;
}

/**
 * A relative path must not lead out of the workspace, links followed: a pull request can change what it names. An
 * absolute one was written by the author of the workflow, and may name another disk.
 * @param roots the workspace, and what else counts as inside of it
 * @param wanted `directory`: it must be there already
 */
export function resolveInside(base: string, path: string, roots: readonly string[], wanted: "directory" | "any"): ResolvedPath {
  const target = resolve(base, path);
  if (path === "" || isAbsolute(path)) {
    return { path: target, problem: wanted === "directory" && !isDirectory(target) ? `${quote(target)} is no directory` : undefined };
  }
  const real = realpathOfExisting(target);
  const isInside = roots.map(realpathOfExisting).some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
  if (!isInside) {
    return { path: target, problem: `${quote(path)} leads out of the workspace; give an absolute path if that is meant` };
  }
  if (wanted === "directory" && !isDirectory(target)) {
    return { path: target, problem: `${quote(path)} is no directory of the workspace; is the repository checked out before this step?` };
  }
  return { path: target };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The path with the links of its existing part followed: a run directory need not exist yet. */
function realpathOfExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = resolve(path, "..");
    return parent === path ? path : resolve(realpathOfExisting(parent), path.slice(parent.length).replace(/^[\\/]/, ""));
  }
}
