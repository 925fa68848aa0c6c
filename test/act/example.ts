import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { noBundle, taskYaml } from "../bundle/action-process.ts";
import { busyboxImage } from "../bundle/busybox-image.ts";
import type { RestApi } from "../fakes/rest-api.ts";
import { type ResultsService, startResultsService } from "../fakes/results-service.ts";
import { act, newRunId, runWorkflow, type WorkflowEnd, type WorkflowRun, watchContainers } from "./act.ts";
import { commitAll, copyAction, root, temporaryDirectory, writeFiles } from "./repository.ts";

const image = busyboxImage();

/** Why the examples cannot be run on this machine; false where they can. */
export const skip = "missing" in act ? act.missing : noBundle !== false ? noBundle : "missing" in image ? image.missing : false;

/** Of the repository that the examples were copied to. */
export const fullName = "octo-org/evals";

export interface End extends WorkflowEnd {
  /** Tasks of the containers that started. */
  readonly containers: readonly string[];
}

export interface ExampleRun {
  /** Of the workflow run, unless an attempt is given another one. */
  readonly runId: number;
  readonly service: ResultsService;
  /** Image that only this run has; a task file names it by `IMAGE`. */
  readonly image: string;
  /** Runs all jobs, as the first attempt or a later one: on a fresh machine, with what the attempts before have uploaded. */
  attempt(number: number, run: Pick<WorkflowRun, "event" | "secrets"> & { readonly runId?: number }): Promise<End>;
}

interface Cleanup {
  after(work: () => void | Promise<void>): void;
}

/**
 * A workflow run of an example, as it stands in examples/workflows, in the repository of somebody who copied it.
 * @param tasks files by path
 */
export async function makeExample(
  t: Cleanup,
  workflow: string,
  api: RestApi,
  tasks: Readonly<Record<string, string>>,
): Promise<ExampleRun> {
  const directory = temporaryDirectory(t);
  const [repository, action] = [join(directory, "evals"), join(directory, "evalbatch")];
  for (const path of [repository, action]) mkdirSync(path);
  copyAction(action);
  const ownId = newRunId();
  const tag = `evalbatch-act:${ownId}`;
  execFileSync(join(root, "scripts/ci/busybox-image"), [tag]);
  t.after(() => void spawnSync("docker", ["image", "rm", "--force", tag]));
  writeFiles(repository, { ".github/workflows/evals.yml": readFileSync(join(root, "examples/workflows", workflow), "utf8") });
  for (const [path, text] of Object.entries(tasks)) writeFiles(repository, { [path]: text.replace("IMAGE", tag) });
  commitAll(repository, fullName);
  const service = await startResultsService();
  t.after(() => service.close());
  return {
    runId: ownId,
    service,
    image: tag,
    async attempt(number, { event, secrets = {}, runId = ownId }) {
      using watch = watchContainers(() => [tag]);
      const actions = { "OWNER/evalbatch@v1": action };
      const env = { GITHUB_RUN_ATTEMPT: String(number) };
      const file = ".github/workflows/evals.yml";
      const end = await runWorkflow({ repository, workflow: file, event, actions, service, api, runId, env, secrets }, directory);
      return { ...end, containers: watch.started().toSorted() };
    },
  };
}

/** A task whose command runs in the run's own image. */
export const task = (id: string, command: string, more = "") => taskYaml(id, command, `${more}sandbox: {docker: {image: IMAGE}}\n`);

export const resultsOf = ({ jobs }: WorkflowEnd) => jobs.map(({ id, result }) => `${id} ${result}`).sort();
export const logOf = ({ jobs }: WorkflowEnd) => jobs.map(({ log }) => log).join("\n");
