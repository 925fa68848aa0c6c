import type { z } from "zod";
import type { Issue } from "../../errors.ts";
import { problemsOfZod } from "../issues.ts";
import type { Lineage, LineageEntry } from "../resolved-task.ts";
import { isSet } from "../rules/read-fields.ts";
import { type AgentConfig, agentSchema } from "../schema/agent-schema.ts";
import { isMapping } from "../schema/field-types.ts";
import { runLimitsSchema } from "../schema/run-limits-schema.ts";
import { sandboxSchema } from "../schema/sandbox-schema.ts";
import { simulationSchema } from "../schema/suite-schema.ts";
import type { PostRunCommand, PreRunCommand, RunLimits, SandboxConfig, SimulationConfig } from "../schema/task-schema.ts";
import { type LineageDraft, layOn } from "./lay-on.ts";
import { type Layer, type LayerInput, layersOf, type Root, templateOrder } from "./layer.ts";
import { LayerIssues } from "./layer-issues.ts";
import { appendLists, type Fields } from "./merge.ts";
import { type AppendRule, settingsRules } from "./merge-rules.ts";
import { resolveRepeats } from "./repeats.ts";

export type { LayerInput } from "./layer.ts";

/** What the layers decide about a task; all rows of its dataset have it in common. */
export interface Settings {
  readonly agent: AgentConfig;
  readonly run_limits: RunLimits;
  readonly sandbox: SandboxConfig;
  readonly simulation: SimulationConfig | null;
  readonly pre_run: PreRunCommand[];
  readonly post_run: PostRunCommand[];
  /** 1 to 100. */
  readonly replicates: number;
}

export type Layered =
  | {
      readonly kind: "resolved";
      readonly settings: Settings;
      readonly lineage: Lineage;
      /** Places what is found later where its own layer has it. */
      readonly placed: LayerIssues;
    }
  | { readonly kind: "problem"; readonly issues: readonly Issue[] };

/**
 * Lays the layers on each other: default experiment, experiment defaults, task, variant, command line (formats.md 3.2, 3.3).
 * The merged blocks are validated again, because a value of one layer can be wrong together with another's
 * (`sdk_options` for codex). The lineage lacks `initial_prompt`, which `resolvePrompt` gives.
 */
export function applyLayers(input: LayerInput): Layered {
  const layers = layersOf(input);
  const issues = new LayerIssues(input, layers);
  const lineage: LineageDraft = new Map();
  const merged = mergeRoots(layers, lineage);
  const repeats = resolveRepeats(layers, issues);
  lineage.set("repeats", repeats.entry);
  layCommandLine(layers, merged, lineage);
  layImage(input, merged, lineage);

  const check = <Schema extends z.ZodType>(root: Root, schema: Schema): z.output<Schema> | undefined => {
    const checked = schema.safeParse(merged[root]);
    if (checked.success) return checked.data;
    issues.add(root, problemsOfZod(schema, merged[root], checked.error));
    return undefined;
  };
  const agent = check("agent", agentSchema);
  const run_limits = check("run_limits", runLimitsSchema);
  const sandbox = check("sandbox", sandboxSchema);
  const simulation = lineage.has("simulation") ? check("simulation", simulationSchema) : null;
  if (agent !== undefined && agent.type === null) issues.addNoType();
  if (issues.found.length > 0 || agent === undefined || run_limits === undefined || sandbox === undefined || simulation === undefined)
    return { kind: "problem", issues: issues.found };

  wholeCommandLineBlocks(lineage, sandbox);
  const trials = simulation?.enabled === true ? simulation.n_trials : 1;
  const rules = settingsRules();
  return {
    kind: "resolved",
    settings: {
      agent,
      run_limits,
      sandbox,
      simulation,
      pre_run: commands(rules.pre_run, layers, "pre_run"),
      post_run: commands(rules.post_run, layers, "post_run"),
      replicates: trials > 1 ? trials : repeats.count,
    },
    lineage: Object.fromEntries(lineage),
    placed: issues,
  };
}

type Merged = Record<Root, Fields>;

const isCommandLine = (layer: Layer): boolean => layer.source === "cli";

/** All layers but the command line's, whose new entries come last in the lineage. */
function mergeRoots(layers: readonly Layer[], lineage: LineageDraft): Merged {
  const lower = layers.filter((layer) => !isCommandLine(layer));
  const merge = (root: Root): Fields => {
    let fields: Fields = {};
    for (const layer of lower) {
      const block = layer[root];
      if (block !== undefined) fields = layOn(root, fields, layer, block, lineage);
    }
    return fields;
  };
  const agent = merge("agent");
  const run_limits = merge("run_limits");
  let sandbox = merge("sandbox");
  for (const layer of templateOrder(lower)) {
    const { template_sources } = layer;
    if (template_sources !== undefined) sandbox = layOn("sandbox", sandbox, layer, { template_sources }, lineage);
  }
  return { agent, run_limits, sandbox, simulation: merge("simulation") };
}

function layCommandLine(layers: readonly Layer[], merged: Merged, lineage: LineageDraft): void {
  for (const layer of layers.filter(isCommandLine)) {
    for (const root of ["agent", "run_limits", "sandbox"] as const) {
      const block = layer[root];
      if (block !== undefined) merged[root] = layOn(root, merged[root], layer, block, lineage);
    }
  }
}

/** The user's image is for docker tasks to which no layer gives one. */
function layImage({ overrides }: LayerInput, merged: Merged, lineage: LineageDraft): void {
  const { driver, docker } = merged.sandbox;
  const named = isMapping(docker) && (isSet(docker.image) || isSet(docker.dockerfile_path));
  if (overrides.image === undefined || driver !== "docker" || named) return;
  const source = { source: "cli", detailOf: overrides.detailOf } as const;
  merged.sandbox = layOn("sandbox", merged.sandbox, source, { docker: { image: overrides.image } }, lineage);
}

function commands<Name extends "pre_run" | "post_run">(rule: AppendRule, layers: readonly Layer[], name: Name): Layer[Name][number][] {
  let list: readonly Layer[Name][number][] = [];
  for (const layer of layers) list = appendLists(rule, list, layer[name]);
  return [...list];
}

/** Entries of the command line hold the whole validated block, as 0.8.2 writes them. */
function wholeCommandLineBlocks(lineage: LineageDraft, sandbox: SandboxConfig): void {
  const blocks: readonly [string, unknown][] = Object.entries(sandbox);
  for (const [name, value] of blocks) {
    const path = `sandbox.${name}`;
    const entry: LineageEntry | undefined = lineage.get(path);
    if (entry?.source === "cli" && isMapping(entry.value)) lineage.set(path, { ...entry, value });
  }
}
