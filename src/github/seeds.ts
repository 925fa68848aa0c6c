import type { GitHubEnvironment } from "./environment.ts";
import type { GitHubEvent } from "./event.ts";

/** What draws where nobody names a seed. The same over re-runs and the legs of a matrix, so that their results belong together. */
export interface JobSeeds {
  /** For rows of datasets: another draw in each run of the workflow, the same for all runs of a pull request. */
  readonly run: string;
  /** For tasks when there are too many: the same for all runs of a pull request or a commit. */
  readonly cap: string;
}

/** Outside of a job there is neither. */
const plainSeed = "0";

/** Seeds of a job: the number of its pull request, else the workflow run's id and the commit. */
export function seedsOf(event: GitHubEvent, { runId, sha }: Pick<GitHubEnvironment, "runId" | "sha">): JobSeeds {
  const pull = pullRequestOf(event);
  if (pull !== undefined) return { run: String(pull), cap: String(pull) };
  return { run: runId ?? plainSeed, cap: commitOf(event) ?? sha ?? plainSeed };
}

function pullRequestOf(event: GitHubEvent): number | undefined {
  if (event.kind === "pull_request") return event.number;
  if (event.kind === "other") return event.pullRequest;
  // Several of one commit: none of them is the one that is meant.
  return event.kind === "workflow_run" && event.pullRequests.length === 1 ? event.pullRequests[0] : undefined;
}

/** The commit that is evaluated. */
function commitOf(event: GitHubEvent): string | undefined {
  if (event.kind === "push") return event.sha;
  return event.kind === "merge_group" || event.kind === "workflow_run" ? event.headSha : undefined;
}
