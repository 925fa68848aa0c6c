import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StoredArtifact } from "../fakes/artifact-store.ts";
import { readZip } from "../fakes/zip-reader.ts";
import { type Ended, type Job, type Started, taskYaml } from "./action-process.ts";
import { type PublishingJob, savedState } from "./publishing-job.ts";

/** What the runner waits between SIGINT and SIGTERM, in milliseconds; we take the harder signal. */
const runnerPatienceMs = 7500;
/** What the product promises: less than the runner's patience. */
export const promisedMs = 6000;

/** Where the engine of the tests is; the action's environment holds nothing else of ours. */
export const engine: Record<string, string> = process.env.DOCKER_HOST === undefined ? {} : { DOCKER_HOST: process.env.DOCKER_HOST };

/** Numbers in [0, 1) that come again for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Commands of every temper: done at once, done after a while, asleep, and one that eats a CPU and hears no signal. */
const commands = ["touch done", "sleep 2; touch done", "sleep 300 & wait", "trap '' INT TERM; while :; do :; done"];

/** Writes tasks of every temper, in turn, below `evals`. */
export function writeLoad(job: Job, count: number): void {
  for (let id = 0; id < count; id += 1) {
    const name = `t${String(id).padStart(2, "0")}`;
    job.write(`evals/${name}.yaml`, taskYaml(name, commands[id % commands.length] ?? "true"));
  }
}

export interface Cancelled {
  readonly ended: Ended;
  /** How it ended: its exit code, or the signal that did it. */
  readonly how: number | NodeJS.Signals | null;
  /** Milliseconds from the signal to the end of the process. */
  readonly tookMs: number;
}

/** Cancels a step as the runner does: a signal to its process alone, and after its patience the kill. */
export async function cancelStep({ child, ended }: Started, signal: NodeJS.Signals): Promise<Cancelled> {
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
  const startMs = performance.now();
  child.kill(signal);
  const kill = setTimeout(() => child.kill("SIGKILL"), runnerPatienceMs);
  await gone;
  const tookMs = performance.now() - startMs;
  clearTimeout(kill);
  return { ended: await ended, how: child.exitCode ?? child.signalCode, tookMs };
}

/** Resolves when the step's output holds the text; false when it ended without. */
export async function says({ child, seen }: Pick<Started, "child" | "seen">, text: string): Promise<boolean> {
  while (!seen().includes(text)) {
    if (child.exitCode !== null || child.signalCode !== null) return seen().includes(text);
    await delay(10);
  }
  return true;
}

/** A log for the eyes: without the many lines that tell the runner what to hide. */
export const withoutMasks = (log: string): string => log.replaceAll(/^::add-mask::.*\n/gm, "");

/** Containers that carry the label of the run, whatever their state. */
export function containersOf(runId: string): string[] {
  const list = execFileSync("docker", ["ps", "-aq", "--filter", `label=evalbatch.run=${runId}`], { encoding: "utf8" });
  return list.split("\n").filter((line) => line !== "");
}

/**
 * Leaves a container of the run that only the run itself may remove: nobody can tell who owns it. What a dead process left is
 * swept by any run of this machine, also one of another test at the same moment.
 */
export function leaveContainer(runId: string, image: string): void {
  execFileSync("docker", ["create", "--label", `evalbatch.run=${runId}`, image, "true"]);
}

/** What the tests look at in a `run.json`. */
export interface RunJson {
  readonly interrupted: boolean;
  readonly verdict: string;
  readonly tasks_planned: number;
  readonly tasks_run: number;
  readonly tasks_succeeded: number;
  readonly tasks_failed: number;
  readonly tasks_error: number;
  readonly tasks_not_graded: number;
  readonly tasks_not_run: number;
  readonly task_results: readonly { readonly task_id: string; readonly status: string }[];
  readonly not_run: readonly { readonly task_id: string; readonly reason: string }[];
}

const bytesOf = (job: Job, runDir: string): Buffer => readFileSync(join(job.workspace, runDir, "run.json"));

export function runJson(job: Job, runDir = "out"): RunJson {
  return JSON.parse(bytesOf(job, runDir).toString());
}

export const hasRun = (job: Job, runDir = "out"): boolean => existsSync(join(job.workspace, runDir));

/** Asserts that each planned task stands in exactly one place of `run.json`. */
export function assertAddsUp(run: RunJson, planned: number): void {
  assert.equal(run.tasks_planned, planned);
  assert.equal(run.tasks_run + run.tasks_not_run, planned);
  assert.equal(run.tasks_succeeded + run.tasks_failed + run.tasks_error + run.tasks_not_graded, run.tasks_run);
  const places = [...run.task_results, ...run.not_run].map(({ task_id }) => task_id);
  assert.deepEqual([places.length, new Set(places).size], [planned, planned]);
}

/** The post step of the same action, with the state that the main step saved, after the runner took the main step's files. */
export function runPost(job: PublishingJob, options: Parameters<PublishingJob["run"]>[0] = {}): Promise<Ended> {
  const state = savedState(job);
  job.nextStep();
  return job.run({ ...options, door: "post", env: { ...state, ...options.env } });
}

/** Artifacts whose upload came to its end. */
export const uploaded = (job: PublishingJob): StoredArtifact[] => [...job.service.artifacts.values()].filter(({ finalized }) => finalized);

/** Asserts that the results are uploaded exactly once, as they are on the disk, and that exactly one comment tells of them. */
export function assertPublishedOnce(job: PublishingJob, headline: RegExp, runDir = "out"): void {
  const artifacts = uploaded(job);
  assert.equal(artifacts.length, 1, `artifacts: ${artifacts.map(({ name }) => name).join(", ")}`);
  assert.deepEqual(readZip(artifacts[0]?.content ?? Buffer.alloc(0)).get("run.json"), bytesOf(job, runDir));
  const comments = job.comments();
  assert.equal(comments.length, 1);
  assert.match(comments[0]?.split("\n")[1] ?? "", headline);
}
