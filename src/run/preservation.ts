import { isAbsolute, join, relative, sep } from "node:path";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { PreservationMode } from "../plan/run-settings.ts";

/** What becomes of the sandbox's files (formats.md 8.9). */
export interface Preservation {
  readonly mode: PreservationMode;
  /** Absolute directory that gets the files; undefined when nothing is kept. */
  readonly keepIn: string | undefined;
  /** `keepIn` as it stands in `task.json`: relative to the working directory where it lies below it, so that no machine's paths travel. */
  readonly shownAs: string | undefined;
  /** Absolute directory that the task works in from the start (DIRECT_WRITE without a container). */
  readonly workIn: string | undefined;
}

export interface RunPlace {
  /** Absolute. */
  readonly runDir: string;
  /** Absolute. */
  readonly cwd: string;
}

/** Where a task's files go. In a container DIRECT_WRITE copies out at the end: there are no bind mounts (design decision 2). */
export function preservationOf(task: ResolvedTask, explicit: PreservationMode | undefined, place: RunPlace): Preservation {
  const { runDir, cwd } = place;
  const isDocker = task.task.sandbox.driver === "docker";
  const mode = explicit ?? (isDocker ? "DIRECT_WRITE" : "MOVE_ON_WRITE");
  // `<result dir>/artifacts/<task id>`: the safe form of the id is the part of the result directory between variant and replicate.
  const safeId = task.resultDir.split("/").slice(1, -1).join("/");
  const directory = join(runDir, task.resultDir, "artifacts", safeId);
  return {
    mode,
    keepIn: mode === "NONE" ? undefined : directory,
    shownAs: mode === "NONE" ? undefined : pathBelow(cwd, directory),
    workIn: mode === "DIRECT_WRITE" && !isDocker ? directory : undefined,
  };
}

function pathBelow(cwd: string, path: string): string {
  const below = relative(cwd, path);
  const leaves = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return (leaves ? path : below).split(sep).join("/");
}
