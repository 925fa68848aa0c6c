import { randomBytes } from "node:crypto";
import { access, mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../errors.ts";

/** Files that only a run directory has. */
const runFiles = ["run.json", "plan.json", "resume_fingerprint.json"];

export interface RunDir {
  /** Absolute. */
  readonly path: string;
  /** Name of the directory (formats.md 4). */
  readonly runId: string;
}

/**
 * Makes the run directory: the given one, which must not hold a run yet, or `runs/<local time>` below `cwd`.
 * @throws InputError when the directory holds a run: two runs are never mixed silently
 */
export async function makeRunDir(given: string | undefined, cwd: string, now: Date): Promise<RunDir> {
  if (given === undefined) return makeTimestamped(join(cwd, "runs"), now);
  const path = resolve(cwd, given);
  for (const name of runFiles) {
    if (!(await exists(join(path, name)))) continue;
    throw new InputError([
      {
        severity: "error",
        code: "run-dir-used",
        message: `the run directory ${path} already holds a run (${name})`,
        hint: "name another directory, or move this one away",
      },
    ]);
  }
  await mkdir(path, { recursive: true });
  return { path, runId: basename(path) };
}

/** Whether `latest` beside the run directory may be set: only where runs lie side by side. */
export function isInRunsDir(path: string, cwd: string): boolean {
  return dirname(path) === resolve(cwd, "runs");
}

/** Two runs of one second must not share a directory, so a taken name gets a random ending. */
async function makeTimestamped(parent: string, now: Date): Promise<RunDir> {
  await mkdir(parent, { recursive: true });
  const stamp = localStamp(now);
  for (const name of [stamp, `${stamp}-${randomBytes(3).toString("hex")}`]) {
    const path = join(parent, name);
    try {
      await mkdir(path);
      return { path, runId: name };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
  throw new InputError([
    { severity: "error", code: "run-dir-used", message: `cannot make a run directory below ${parent}`, hint: "name one with --run-dir" },
  ]);
}

function localStamp(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${date}_${two(now.getHours())}-${two(now.getMinutes())}-${two(now.getSeconds())}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
