import { parseOverrides } from "../plan/overrides/parse-overrides.ts";
import { isMapping } from "../plan/schema/field-types.ts";
import { type Stamps, stampTasks } from "../plan/stamp/stamp-tasks.ts";
import { buildFingerprint } from "../results/fingerprint/build-fingerprint.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import { agentVersionsOf } from "./agent-kits.ts";
import type { Run, RunOptions } from "./run-context.ts";

/** What a run is to be known by later: settings, contents and surroundings. */
export interface RunStamp {
  readonly stamps: Stamps;
  readonly fingerprint: Fingerprint;
}

type Stampable = Pick<Run, "options" | "deps" | "plan" | "redactor" | "environmentInfo" | "maxParallel">;

/** Reads every file that the tasks bring. @throws InterruptedError */
export async function stampRun({ options, deps, plan, redactor, environmentInfo, maxParallel }: Stampable): Promise<RunStamp> {
  const redact = (text: string): string => redactor.redact(text).text;
  const { cwd, env } = options;
  const stamps = await stampTasks(plan.tasks, { cwd, env, redact, signal: deps.signal });
  for (const problem of stamps.problems) deps.progress.warning(redact(problem));
  const fingerprint = buildFingerprint({
    run: runSettings(options, plan.experiment.experimentId, maxParallel, redact),
    rows: plan.tasks.map((task) => ({
      variantId: task.variantId,
      taskId: task.taskId,
      replicateIndex: task.replicateIndex,
      stamp: stamps.of(task),
    })),
    environment: { ...textsOf(environmentInfo), ...agentVersionsOf(plan.tasks, options.agentVersions) },
    folders: stamps.folders,
  });
  return { stamps, fingerprint };
}

/** The settings of the invocation under the names of coder_eval (formats.md 8.5), so that each tool can read the other's stamp. */
function runSettings(options: RunOptions, experimentId: string, maxParallel: number, redact: (text: string) => string) {
  const { agent, run_limits, sandbox } = parseOverrides(options.overrides, options.flagNames);
  const { type } = options.overrides;
  const given = Object.fromEntries([...leavesOf({ agent, run_limits, sandbox }, "", redact)]);
  // `--type` has a key of its own.
  if (type !== undefined) delete given["agent.type"];
  return {
    agent_type: type ?? null,
    backend: "direct",
    bedrock_model: null,
    exclude_tags: setOrNull(options.excludeTags, redact),
    experiment_id: experimentId,
    include_skipped: options.includeSkipped,
    include_tags: setOrNull(options.tags, redact),
    max_parallel: maxParallel,
    max_rows: options.sampling.sample ?? null,
    overrides: given,
    preservation_mode: options.preservationMode ?? null,
    repeats: options.overrides.repeats ?? null,
    run_dir: options.runDir === undefined ? null : redact(options.runDir),
    sample_per_stratum: options.sampling.samplePerStratum ?? null,
    verbose: options.verbose,
  };
}

function setOrNull(tags: readonly string[], redact: (text: string) => string): string[] | null {
  return tags.length === 0 ? null : [...new Set(tags.map(redact))].sort();
}

/** Dotted paths of values that are no mappings. */
function* leavesOf(value: unknown, path: string, redact: (text: string) => string): Generator<[string, unknown]> {
  if (isMapping(value)) {
    for (const [key, child] of Object.entries(value)) yield* leavesOf(child, path === "" ? key : `${path}.${key}`, redact);
    return;
  }
  yield [path, redactLeaf(value, redact)];
}

function redactLeaf(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactLeaf(item, redact));
  return value;
}

function textsOf(info: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(info).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
