import * as core from "@actions/core";
import type { RunSummary, RunVerdict } from "../results/run-summary-schema.ts";

/**
 * The outputs of `action.yml`, in its order. `verdict` is `error` when the action could not run the tasks at all, and
 * also if it dies half-way: outputs are set to these values before anything else.
 */
const safeOutputs = {
  verdict: "error",
  "run-dir": "",
  "run-json": "",
  "tasks-run": "0",
  "tasks-succeeded": "0",
  "tasks-failed": "0",
  "tasks-error": "0",
  "tasks-not-run": "0",
  /** Empty while there is no rate: a missing one must not read as 0 or 1. */
  "pass-rate": "",
  "artifact-id": "",
  "artifact-url": "",
  "artifact-digest": "",
  "comment-url": "",
} as const;

export type OutputName = keyof typeof safeOutputs;
export type Outputs = Readonly<Record<OutputName, string>> & { readonly verdict: RunVerdict | "skipped" | "error" };

/** Names of all outputs, in the order of `action.yml`. */
export const outputNames: readonly string[] = Object.keys(safeOutputs);

export interface RunPlace {
  /** Absolute. */
  readonly runDir: string;
  /** Absolute. */
  readonly runJson: string;
}

/** What has left the machine; absent where nothing did. */
export interface Published {
  readonly artifact?: { readonly name: string; readonly id: number; readonly url: string; readonly digest: string } | undefined;
  readonly commentUrl?: string | undefined;
}

/** What later steps get to know of a run. The rate is a share, 0 … 1. */
export function outputsOf(summary: RunSummary, place: RunPlace, published: Published): Outputs {
  return {
    // A summary without a verdict was not written by us to its end.
    verdict: summary.verdict ?? "error",
    "run-dir": place.runDir,
    "run-json": place.runJson,
    "tasks-run": String(summary.tasks_run),
    "tasks-succeeded": String(summary.tasks_succeeded),
    "tasks-failed": String(summary.tasks_failed),
    "tasks-error": String(summary.tasks_error),
    "tasks-not-run": String(summary.tasks_not_run),
    "pass-rate": summary.pass_rate === null ? "" : String(summary.pass_rate),
    "artifact-id": published.artifact === undefined ? "" : String(published.artifact.id),
    "artifact-url": published.artifact?.url ?? "",
    "artifact-digest": published.artifact?.digest ?? "",
    "comment-url": published.commentUrl ?? "",
  };
}

/** To be called first, so that a step that dies says `error` and not nothing. */
export function setSafeOutputs(): void {
  setOutputs(safeOutputs);
}

/** Nothing was run, on purpose: a fork's pull request gets no secrets. */
export function setSkippedOutputs(): void {
  setOutputs({ ...safeOutputs, verdict: "skipped" });
}

/** The last value set for a name is the one that counts. */
export function setOutputs(outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
}
