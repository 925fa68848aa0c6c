import type { ResumeSource } from "../results/resume/resume-facts.ts";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import type { ArtifactNameOptions } from "./artifact-name.ts";
import type { Env, GitHubEnvironment } from "./environment.ts";

export { originOf } from "./earlier-run-origin.ts";

/** Results of an earlier attempt, or why there are none. */
export type EarlierRun =
  | {
      readonly kind: "found";
      readonly source: ResumeSource;
      /** What the reader of the log should know, one line each; hold foreign text. */
      readonly notes: readonly string[];
    }
  /** `why`: for a notice; holds foreign text. */
  | { readonly kind: "none"; readonly why: string };

export interface EarlierRunRequest {
  readonly mode: "auto" | "true";
  /** Input `resume-from`: id of a workflow run, or `latest`. */
  readonly from: string | undefined;
  /** Of this job. */
  readonly origin: RunOrigin;
  /** As `artifactName` is given it, secrets hidden. */
  readonly name: Omit<ArtifactNameOptions, "attempt">;
  /** Absolute; made, and filled with the earlier run's files, or left absent. */
  readonly into: string;
}

export interface EarlierRunDeps {
  readonly environment: Pick<GitHubEnvironment, "serverUrl" | "apiUrl" | "tempDir">;
  /** The process's environment: the runner's token and URL for artifacts, proxies. */
  readonly env: Env;
  /** Input `github-token`. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** For everything together; 5 minutes if not given. */
  readonly deadlineMs?: number | undefined;
  /** Gets what GitHub's client prints, for a job with debug logging. */
  readonly log?: ((text: string) => void) | undefined;
}

/** Whether there may be an earlier run at all: a first attempt looks for one only where `resume-from` names it. */
export function mayHaveEarlierRun(from: string | undefined, attempt: number): boolean {
  return attempt > 1 || from !== undefined;
}

/** Finds, downloads and checks what an earlier attempt of this job left. Never throws. */
export async function fetchEarlierRun(_request: EarlierRunRequest, _deps: EarlierRunDeps): Promise<EarlierRun> {
  return { kind: "none", why: "results of earlier attempts cannot be fetched yet" };
}
