import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { headSha } from "../fakes/event-environment.ts";
import { type RestApi, startRestApi } from "../fakes/rest-api.ts";
import { type ResultsService, type ServiceOptions, startResultsService } from "../fakes/results-service.ts";
import { readZip } from "../fakes/zip-reader.ts";
import { type Ended, type Job, makeJob, type Started, type StartOptions, startAction } from "./action-process.ts";

interface Cleanup {
  after(work: () => void | Promise<void>): void;
}

const events = join(import.meta.dirname, "../fixtures/events");

/** The token that the workflow hands to the action. */
export const token = "ghs_TokenOfThisTestThatMustNotBeSeen0001";

/** A job of `octo-org/evals` with the services that GitHub gives it. */
export interface PublishingJob extends Job {
  readonly api: RestApi;
  readonly service: ResultsService;
  run(options?: StartOptions): Promise<Ended>;
  start(options?: StartOptions): Started;
  /** Files of the artifact of that name, or of the only one. */
  artifact(name?: string): ReadonlyMap<string, Buffer>;
  /** Our comments on the pull request, oldest first. */
  comments(): string[];
  /** Empties what the runner reads after a step, for the next one. */
  nextStep(): void;
}

/** @param fixture file of `test/fixtures/events`; the event's name is its name up to a dash */
export async function makePublishingJob(t: Cleanup, fixture: string, options: ServiceOptions = {}): Promise<PublishingJob> {
  const job = makeJob(t);
  const api = await startRestApi();
  const service = await startResultsService(options);
  t.after(() => api.close());
  t.after(() => service.close());
  const env = {
    GITHUB_REPOSITORY: "octo-org/evals",
    GITHUB_WORKFLOW: "CI",
    GITHUB_ACTION: "__self",
    // Of a pull request it is the merge commit, of a push its head.
    GITHUB_SHA: fixture === "push" ? headSha : "a".repeat(40),
    GITHUB_ACTOR: "octocat",
    GITHUB_EVENT_NAME: fixture.replace(/-.*$/, ""),
    GITHUB_EVENT_PATH: join(events, `${fixture}.json`),
    GITHUB_API_URL: api.url,
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_TOKEN: "",
    ACTIONS_RESULTS_URL: service.url,
    ACTIONS_RUNTIME_TOKEN: service.token,
  };
  const start = (given: StartOptions = {}): Started =>
    startAction(job, {
      ...given,
      inputs: { tasks: "evals", driver: "tempdir", "run-dir": "out", "github-token": token, ...given.inputs },
      env: { ...env, ...given.env },
    });
  return {
    ...job,
    api,
    service,
    start,
    run: (given) => start(given).ended,
    artifact(name) {
      const found = name === undefined ? [...service.artifacts.values()][0] : service.artifacts.get(name);
      if (found === undefined) throw new Error(`no artifact ${name ?? ""}; there are ${[...service.artifacts.keys()].join(", ")}`);
      return readZip(found.content);
    },
    comments: () => api.repository.comments.filter(({ body }) => body.startsWith("<!-- evalbatch")).map(({ body }) => body),
    nextStep() {
      for (const file of ["output", "state", "summary"]) writeFileSync(join(job.directory, file), "");
    },
  };
}

/** The state that a step saved, as the variables that its post step finds. */
export function savedState(job: Job): Record<string, string> {
  const text = readFileSync(join(job.directory, "state"), "utf8");
  return Object.fromEntries(
    Array.from(text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n?\2$/gm), ([, name = "", , value = ""]) => [`STATE_${name}`, value]),
  );
}
