import { lstat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { EnvironmentError, InputError } from "../errors.ts";
import type { PlanSelection } from "../plan/plan-options.ts";
import { type ReadFingerprint, readFingerprint } from "../results/fingerprint/fingerprint-file.ts";
import { fileNames } from "../results/layout.ts";
import { type PriorRun, readPriorRun } from "../results/prior-run.ts";
import { walkResults } from "../results/result-tree.ts";
import { recordedDraws } from "../results/resume/recorded-draws.ts";
import type { RunOptions } from "./run-context.ts";
import { locateRunDir, type RunDir, runFiles } from "./run-dir.ts";
import { lockRunDir } from "./run-lock.ts";

/** The execution of a run that another one continues, as its directory tells it. */
export interface EarlierRun {
  readonly runDir: RunDir;
  readonly prior: PriorRun;
  readonly fingerprint: ReadFingerprint;
  /** Lets go of the directory. */
  readonly unlock: () => Promise<void>;
}

/**
 * Opens the run directory that is to be continued, for this process alone.
 * @returns undefined where there is none, or it holds no run
 * @throws InputError `usage` without a directory, `run-dir-busy`; EnvironmentError
 */
export async function openEarlierRun(options: Pick<RunOptions, "runDir" | "cwd" | "env">): Promise<EarlierRun | undefined> {
  if (options.runDir === undefined) {
    const hint = "name the directory that is to be continued, e.g. --run-dir runs/latest";
    throw new InputError([{ severity: "error", code: "usage", message: "--resume needs --run-dir", hint }]);
  }
  const path = await locateRunDir(options.runDir, options);
  if (!(await holdsRun(path))) return undefined;
  const unlock = await lockRunDir(path);
  try {
    const runDir = { path, runId: basename(path) };
    return { runDir, prior: await readPriorRun(path), fingerprint: await readFingerprint(path), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function holdsRun(path: string): Promise<boolean> {
  const isThere = async (name: string): Promise<boolean> => (await lstat(resolve(path, name)).catch(() => undefined)) !== undefined;
  if (!(await isThere("."))) return false;
  for (const name of runFiles) if (await isThere(name)) return true;
  // Only results: of a run that was killed, or whose other files were lost.
  for (const entry of walkResults(path, fileNames.task)) {
    if (entry.kind === "file") return true;
    if (entry.kind === "unreadable" && entry.path === ".") throw closed(path, entry.reason);
  }
  return false;
}

function closed(path: string, reason: string): EnvironmentError {
  const hint = "check that the run directory belongs to you";
  return new EnvironmentError("cannot-read", `cannot look into ${path}: ${reason}`, { hint });
}

/** The selection with what the earlier execution drew. */
export function withRecordedDraws<Selection extends PlanSelection>(selection: Selection, earlier: EarlierRun | undefined): Selection {
  if (earlier === undefined) return selection;
  const { datasets, cap } = recordedDraws(earlier.prior.plan);
  return {
    ...selection,
    sampling: { ...selection.sampling, recorded: datasets },
    cap: selection.cap === undefined ? undefined : { ...selection.cap, recorded: cap },
  };
}
