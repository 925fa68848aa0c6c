import { join } from "node:path";
import { EnvironmentError } from "../../errors.ts";
import { fileNames } from "../layout.ts";
import type { SetAside } from "./resume-facts.ts";
import { setAside } from "./set-aside.ts";
import { statOf } from "./stat-of.ts";

/**
 * What stands between a run directory and the places of its rows: links and files where directories must be, since nothing may be read or
 * written through them, and runs of their own, below which no reader looks for results of this one.
 * @param resultDirs relative to the run directory
 * @returns reasons by path, relative to the run directory
 */
export function findInTheWay(runDir: string, resultDirs: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  for (const resultDir of resultDirs) {
    const parts = resultDir.split("/");
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const path = parts.slice(0, depth).join("/");
      // What lies behind it is of no concern.
      if (found.has(path)) break;
      if (seen.has(path)) continue;
      seen.add(path);
      const reason = inTheWay(join(runDir, path));
      if (reason !== undefined) found.set(path, reason);
    }
  }
  return found;
}

/** Whether one of the directories above a row's, or that itself, is among what `findInTheWay` found. */
export function isCutOff(resultDir: string, found: ReadonlyMap<string, string>): boolean {
  if (found.size === 0) return false;
  const parts = resultDir.split("/");
  return parts.some((_part, index) => found.has(parts.slice(0, index + 1).join("/")));
}

/**
 * Moves it away.
 * @returns what was moved, and where
 * @throws EnvironmentError `cannot-write` when something cannot be moved
 */
export async function clearWay(runDir: string, found: ReadonlyMap<string, string>): Promise<SetAside[]> {
  const moved: SetAside[] = [];
  for (const [path, reason] of found) moved.push(await move(runDir, path, reason));
  return moved;
}

async function move(runDir: string, path: string, reason: string): Promise<SetAside> {
  const entry = await setAside(runDir, path, "unused", reason);
  if (entry.moved_to !== null) return entry;
  throw new EnvironmentError("cannot-write", `${join(runDir, path)} stands where results go: ${entry.reason}`, {
    hint: "move it away, or name another run directory",
  });
}

function inTheWay(path: string): string | undefined {
  const found = statOf(path);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return "a link, which is not followed";
  if (!found.isDirectory()) return "no directory, though results go there";
  return statOf(join(path, fileNames.run))?.isDirectory() === false ? "a run of its own" : undefined;
}
