import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { lstat, mkdir, realpath, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../errors.ts";
import { atHome } from "../plan/expand-path.ts";
import { makeDirectory, storageError, systemCode } from "../results/atomic-file.ts";
import { fileNames } from "../results/layout.ts";

/** Files that only a run directory has. */
export const runFiles: readonly string[] = [fileNames.run, fileNames.plan, fileNames.fingerprint];

export interface RunDir {
  /** Absolute. */
  readonly path: string;
  /** Name of the directory (formats.md 4). */
  readonly runId: string;
  /** The topmost directory that had to be made for it. */
  readonly firstMade?: string | undefined;
}

/**
 * Makes the run directory: the given one, which must not hold a run yet, or `<runs>/<local time>`.
 * @throws InputError when the directory holds a run: two runs are never mixed silently. Nor anything where the results are to lie: it may be
 * a link to somewhere else, or results that nobody ran, as a pull request can bring them along
 */
export async function makeRunDir(given: string | undefined, options: RunDirOptions): Promise<RunDir> {
  const { now } = options;
  if (given === undefined) return makeTimestamped(runsDir(options), now);
  // `--run-dir=~/x` reaches us as it is written.
  const path = await locateRunDir(given, options);
  await refuseUsed(path, options.resultDirs);
  return { path, runId: basename(path), ...made(await makeDirectory(path)) };
}

function made(firstMade: string | undefined): Pick<RunDir, "firstMade"> {
  return firstMade === undefined ? {} : { firstMade };
}

/** Takes away what was made for a run that never began, as far as nothing is in it. Never throws. */
export async function removeUnused({ path, firstMade }: RunDir): Promise<void> {
  if (firstMade === undefined) return;
  try {
    for (let directory = path; ; directory = dirname(directory)) {
      await rmdir(directory);
      if (directory === firstMade) return;
    }
  } catch {
    // Somebody uses it.
  }
}

/**
 * To be asked once more when the directory is ours alone: a run may have begun and ended there in between.
 * @throws InputError `run-dir-used`
 */
export async function refuseUsed(path: string, resultDirs: readonly string[]): Promise<void> {
  const taken = [...runFiles, ...resultDirs.map((directory) => directory.split("/")[0] ?? directory)];
  for (const name of new Set(taken)) {
    if (!(await exists(join(path, name)))) continue;
    throw new InputError([
      {
        severity: "error",
        code: "run-dir-used",
        message: `the run directory ${path} already holds a run (${name})`,
        hint: "name another directory, move this one away, or continue that run with --resume",
      },
    ]);
  }
}

/**
 * Where a named run directory is. A link such as `latest` stands for what it leads to: a run is called what its directory is called.
 * @returns absolute; it need not be there
 * @throws InputError where something else than a directory has that name
 */
export async function locateRunDir(given: string, { cwd, env }: Pick<RunDirOptions, "cwd" | "env">): Promise<string> {
  const path = resolve(cwd, atHome(given, env));
  const found = await lstat(path).catch(() => undefined);
  const isLink = found?.isSymbolicLink() === true;
  const target = isLink ? await stat(path).catch(() => undefined) : found;
  if (target?.isDirectory() === true) return isLink ? realpath(path) : path;
  if (found === undefined) return path;
  const message = `the run directory ${path} is ${target === undefined ? "a link that leads nowhere" : "a file"}`;
  const hint = "name a directory, or a path where nothing is yet";
  throw new InputError([{ severity: "error", code: "usage", message, hint }]);
}

export interface RunDirOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  /** Where the results of the tasks will go, relative to the run directory. */
  readonly resultDirs: readonly string[];
}

/** Where runs lie side by side: `RUNS_DIR`, else `runs` (formats.md 4). */
function runsDir(options: Pick<RunDirOptions, "cwd" | "env">): string {
  return resolve(options.cwd, atHome(options.env.RUNS_DIR || "runs", options.env));
}

/** Whether `latest` beside the run directory may be set: only where runs lie side by side. */
export function isInRunsDir(path: string, options: Pick<RunDirOptions, "cwd" | "env">): boolean {
  return withoutLinks(dirname(path)) === withoutLinks(runsDir(options));
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Where a run that nobody named a directory for goes, if nothing is there yet. */
export function freshRunPath(options: Pick<RunDirOptions, "cwd" | "env">, now: Date): string {
  return join(runsDir(options), localStamp(now));
}

/** Two runs of one second must not share a directory, so a taken name gets a random ending. */
async function makeTimestamped(parent: string, now: Date): Promise<RunDir> {
  const above = await makeDirectory(parent);
  const stamp = localStamp(now);
  for (const name of [stamp, `${stamp}-${randomBytes(3).toString("hex")}`]) {
    const path = join(parent, name);
    try {
      await mkdir(path);
      return { path, runId: name, firstMade: above ?? path };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw storageError(error, path);
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
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
