import * as core from "@actions/core";

/** What is published once per run, by the main step or, where that was cut short, by the post step. */
export const publishedParts = ["artifact", "summary", "comment"] as const;
export type PublishedPart = (typeof publishedParts)[number];

export interface SavedRun {
  /** By it the run's containers are found. */
  readonly runId: string;
  /** Absolute. */
  readonly runDir: string;
  /** Absolute; paths of task files are relative to it. */
  readonly cwd: string;
}

/** Remembers a run for the post step of the same action: to be called before the first container starts. */
export function saveRun(run: SavedRun): void {
  core.saveState("run", run.runId);
  core.saveState("run-dir", run.runDir);
  core.saveState("cwd", run.cwd);
}

/** The run that the main step remembered; undefined when it never came so far. */
export function savedRun(): SavedRun | undefined {
  const runId = core.getState("run");
  return runId === "" ? undefined : { runId, runDir: core.getState("run-dir"), cwd: core.getState("cwd") };
}

/** Remembers that a part is out, or that it is not wanted, so that the post step leaves it alone. */
export function savePublished(part: PublishedPart): void {
  core.saveState(`published-${part}`, "true");
}

/** The parts that the main step has dealt with. */
export function savedPublished(): ReadonlySet<PublishedPart> {
  return new Set(publishedParts.filter((part) => core.getState(`published-${part}`) === "true"));
}
