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
  readonly workflow: string | undefined;
  /** Id of the step, or a made-up one. */
  readonly action: string | undefined;
  /** `https://github.com` or an enterprise server. */
  readonly serverUrl: string;
  /** `pull_request`, `push`, …; undefined outside of a job. */
  readonly eventName: string | undefined;
  readonly eventPath: string | undefined;
  /** Of a pull request: its merge commit. */
  readonly sha: string | undefined;
  readonly ref: string | undefined;
  /** File that takes the job summary; undefined where the runner has none (GitHub Enterprise before 3.6, local use). */
  readonly summaryPath: string | undefined;
  readonly outputPath: string | undefined;
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
    action: text("GITHUB_ACTION"),
    serverUrl: text("GITHUB_SERVER_URL") ?? "https://github.com",
    eventName: text("GITHUB_EVENT_NAME"),
    eventPath: text("GITHUB_EVENT_PATH"),
    sha: text("GITHUB_SHA"),
    ref: text("GITHUB_REF"),
    summaryPath: text("GITHUB_STEP_SUMMARY"),
    outputPath: text("GITHUB_OUTPUT"),
    debug: text("RUNNER_DEBUG") === "1",
  };
}
