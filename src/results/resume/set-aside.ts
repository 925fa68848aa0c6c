import { rename } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../errors.ts";
import type { SetAside } from "./resume-facts.ts";
import { statOf } from "./stat-of.ts";

const mostNames = 1000;

/**
 * Renames a file, link or directory of a run directory to `<path>.<ending>`, or to `<path>.<ending>-2` and so on where that name is taken:
 * what nobody can use is never thrown away. Never throws: what cannot be moved stays, and the reason tells it.
 * @param path relative to the run directory
 */
export async function setAside(
  runDir: string,
  path: string,
  ending: "unreadable" | "misplaced" | "unused",
  reason: string,
): Promise<SetAside> {
  try {
    const movedTo = await freeName(runDir, `${path}.${ending}`);
    if (movedTo === undefined) return { path, reason: `${reason}; it stays, since too many of its name were set aside`, moved_to: null };
    await rename(join(runDir, path), join(runDir, movedTo));
    return { path, reason, moved_to: movedTo };
  } catch (error) {
    return { path, reason: `${reason}; it could not be moved: ${errorMessage(error)}`, moved_to: null };
  }
}

async function freeName(runDir: string, wanted: string): Promise<string | undefined> {
  for (let number = 1; number <= mostNames; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const taken = statOf(join(runDir, name));
    if (taken === undefined) return name;
  }
  return undefined;
}
