import { join } from "node:path";
import { type Env, type GitHubEnvironment, readEnvironment } from "../../src/github/environment.ts";

/** Head of the pull request in `test/fixtures/events`; of a pull request it is not what `GITHUB_SHA` says. */
export const headSha = "1f0c2d4e5b6a79880f1e2d3c4b5a69788f9e0d1c";
export const runSha = "a".repeat(40);

/** The environment of a job that an event of `test/fixtures/events` started; the event's name is the file's up to a dash. */
export function eventEnvironment(fixture: string, env: Env = {}): GitHubEnvironment {
  return readEnvironment(
    {
      GITHUB_EVENT_NAME: fixture.replace(/-.*$/, ""),
      GITHUB_EVENT_PATH: join(import.meta.dirname, "..", "fixtures", "events", `${fixture}.json`),
      GITHUB_REPOSITORY: "octo-org/evals",
      GITHUB_SHA: runSha,
      GITHUB_ACTOR: "octocat",
      ...env,
    },
    "/cwd",
  );
}
