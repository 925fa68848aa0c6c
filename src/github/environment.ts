import { isAbsolute, resolve } from "node:path";

/** What GitHub tells a step about itself. Texts of the event (titles, branch names) are foreign. */
export interface GitHubEnvironment {
  /** Absolute. Where the repository is checked out. */
  readonly workspace: string;
  /** The runner's directory for temporary files, if there is one. */
  readonly tempDir: string | undefined;
  readonly repository: string | undefined;
  readonly runId: string | undefined;
  /** From 1; a re-run of the same run counts up. */
  readonly runAttempt: number;
  /** Id of the job in the workflow file; the same for all legs of a matrix. */
  readonly job: string | undefined;
  /** Its `name`, or its path where it has none. */
  readonly workflow: string | undefined;
  /** `owner/name/.github/workflows/file.yml@ref`; of a called workflow it is the caller's, as all of these are. */
  readonly workflowRef: string | undefined;
  /** Id of the step, or one that the runner makes of the action's name and its position among the same ones. */
  readonly action: string | undefined;
  /** Login of who or what caused the run; stays the same when someone else re-runs it. */
  readonly actor: string | undefined;
  /** `https://github.com` or an enterprise server. */
  readonly serverUrl: string;
  /** Base address of the REST API, without a slash at its end: `https://api.github.com`, or `…/api/v3` of an enterprise server. */
  readonly apiUrl: string;
  /** `pull_request`, `push`, …; undefined outside of a job. */
  readonly eventName: string | undefined;
  readonly eventPath: string | undefined;
  /** The commit of the run. Of a pull request its merge commit; of events without a branch the default branch's head. */
  readonly sha: string | undefined;
  readonly ref: string | undefined;
  /** File that takes the job summary; undefined where the runner has none (GitHub Enterprise before 3.6, local use). */
  readonly summaryPath: string | undefined;
  /** The user re-ran the job with debug logging. */
  readonly debug: boolean;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads the variables that the runner sets (docs.github.com, "Variables reference"); an empty one counts as absent. */
export function readEnvironment(env: Env, cwd: string): GitHubEnvironment {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const workspace = text("GITHUB_WORKSPACE") ?? cwd;
  const attempt = Number(text("GITHUB_RUN_ATTEMPT") ?? "1");
  return {
    workspace: isAbsolute(workspace) ? workspace : resolve(cwd, workspace),
    tempDir: text("RUNNER_TEMP"),
    repository: text("GITHUB_REPOSITORY"),
    runId: text("GITHUB_RUN_ID"),
    runAttempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1,
    job: text("GITHUB_JOB"),
    workflow: text("GITHUB_WORKFLOW"),
    workflowRef: text("GITHUB_WORKFLOW_REF"),
    action: text("GITHUB_ACTION"),
    actor: text("GITHUB_ACTOR"),
    serverUrl: text("GITHUB_SERVER_URL") ?? "https://github.com",
    apiUrl: (text("GITHUB_API_URL") ?? "https://api.github.com").replace(/\/+$/, ""),
    eventName: text("GITHUB_EVENT_NAME"),
    eventPath: text("GITHUB_EVENT_PATH"),
    sha: text("GITHUB_SHA"),
    ref: text("GITHUB_REF"),
    summaryPath: text("GITHUB_STEP_SUMMARY"),
    debug: text("RUNNER_DEBUG") === "1",
  };
}
