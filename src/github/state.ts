import * as core from "@actions/core";

const name = "run";

/** Remembers a run for the post step of the same action. */
export function saveRun(runId: string): void {
  core.saveState(name, runId);
}

/** The run that the main step remembered; undefined when it never came so far. */
export function savedRun(): string | undefined {
  return core.getState(name) || undefined;
}
