import * as core from "@actions/core";
import { z } from "zod";
import type { Published } from "./outputs.ts";

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

/** Remembers that a part is out, or that it is not wanted, so that the post step leaves it alone; of the artifact, where it is. */
export function savePublished(part: PublishedPart, artifact?: Published["artifact"]): void {
  if (artifact !== undefined) core.saveState("artifact", JSON.stringify(artifact));
  core.saveState(`published-${part}`, "true");
}

const artifactSchema = z.object({ name: z.string(), id: z.int(), url: z.string(), digest: z.string() });

/** The artifact that the main step uploaded, for what still has to link to it. */
export function savedArtifact(): Published["artifact"] {
  return artifactSchema.safeParse(stateValue("artifact")).data;
}

/** Remembers the names, never the values, of variables that hold a secret of the run. (Under a name that itself looks like none.) */
export function saveSecretNames(names: readonly string[]): void {
  core.saveState("hidden-variables", JSON.stringify(names));
}

export function savedSecretNames(): readonly string[] {
  return z.array(z.string()).safeParse(stateValue("hidden-variables")).data ?? [];
}

function stateValue(name: string): unknown {
  try {
    return JSON.parse(core.getState(name));
  } catch {
    return undefined;
  }
}

/** The parts that the main step has dealt with. */
export function savedPublished(): ReadonlySet<PublishedPart> {
  return new Set(publishedParts.filter((part) => core.getState(`published-${part}`) === "true"));
}
