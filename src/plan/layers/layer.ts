import { builtInExperiment } from "../experiment/default-experiment.ts";
import type { ExperimentLayer, LoadedExperiment, LoadedVariant } from "../experiment/loaded-experiment.ts";
import { quote } from "../found-text.ts";
import type { LoadedTask } from "../load.ts";
import type { Overrides } from "../overrides/overrides.ts";
import type { LineageSource } from "../resolved-task.ts";
import { isMapping } from "../schema/field-types.ts";
import type { PostRunCommand, PreRunCommand } from "../schema/hook-schema.ts";
import { type Fields, pickSet } from "./merge.ts";
import { fieldRule, settingsRules } from "./merge-rules.ts";

export type Root = "agent" | "run_limits" | "sandbox" | "simulation";

/** One source of settings, as far as it really sets something. */
export interface Layer {
  readonly source: LineageSource;
  readonly agent?: Fields | undefined;
  readonly run_limits?: Fields | undefined;
  /** Without `template_sources`, except on the command line: they have an order of their own. */
  readonly sandbox?: Fields | undefined;
  readonly simulation?: Fields | undefined;
  readonly template_sources?: readonly unknown[] | null | undefined;
  readonly pre_run: readonly PreRunCommand[];
  readonly post_run: readonly PostRunCommand[];
  readonly repeats?: number | undefined;
  /** `source_detail` of a field's lineage entry: the flag. */
  readonly detailOf?: ((path: string) => string) | undefined;
  /** The block of the experiment file that it is. */
  readonly block?: ExperimentLayer | undefined;
  /** As a message names it. */
  readonly name: string;
}

export interface LayerInput {
  readonly loaded: LoadedTask;
  readonly experiment: LoadedExperiment;
  readonly variant: LoadedVariant;
  readonly overrides: Overrides;
}

/** The layers of formats.md 3.2, the lowest first; the command line's is the last. */
export function layersOf({ loaded, experiment, variant, overrides }: LayerInput): readonly [...Layer[], Layer] {
  return [
    ...lowestLayers(experiment),
    taskLayer(loaded),
    experimentLayer("variant", variant, `variant ${quote(variant.variantId)}`),
    { source: "cli", ...overrides, pre_run: [], post_run: [], name: "the command line" },
  ];
}

export const builtInName = "the built-in default experiment";

/**
 * Where no experiment is given, the built-in one is the active one, and its values count as an experiment's defaults.
 * Below another one it gives no commands.
 */
function lowestLayers(experiment: LoadedExperiment): readonly Layer[] {
  if (experiment.file === null) return [experimentLayer("experiment-defaults", experiment.defaults, builtInName)];
  const { agent, run_limits, sandbox, simulation, repeats } = builtInExperiment.defaults;
  return [
    { source: "default", agent, run_limits, sandbox, simulation, repeats, pre_run: [], post_run: [], name: builtInName },
    experimentLayer("experiment-defaults", experiment.defaults, "the experiment's defaults"),
  ];
}

function experimentLayer(source: LineageSource, block: ExperimentLayer, name: string): Layer {
  const { agent, run_limits, sandbox, simulation, template_sources, pre_run, post_run, repeats } = block;
  const sources = template_sources.length === 0 ? undefined : template_sources;
  return { source, agent, run_limits, sandbox, simulation, template_sources: sources, pre_run, post_run, repeats, block, name };
}

function taskLayer({ fields, definition }: LoadedTask): Layer {
  const block = (root: Root): Fields | undefined => {
    const set = fields[root];
    const picked = isMapping(set) ? pickSet(set, definition[root]) : undefined;
    return isMapping(picked) ? picked : undefined;
  };
  const { template_sources, ...sandbox } = block("sandbox") ?? {};
  return {
    source: "task",
    agent: block("agent"),
    run_limits: block("run_limits"),
    sandbox,
    simulation: block("simulation"),
    template_sources: Array.isArray(template_sources) ? template_sources : template_sources === null ? null : undefined,
    pre_run: definition.pre_run,
    post_run: definition.post_run,
    name: "the task",
  };
}

/** The order in which the layers' template sources follow each other: as their field declares it. */
export function templateOrder(layers: readonly Layer[]): readonly Layer[] {
  const rule = fieldRule(settingsRules().sandbox, "template_sources");
  if (rule.kind !== "append" || rule.order !== "task-first") return layers;
  return layers.toSorted((a, b) => Number(b.source === "task") - Number(a.source === "task"));
}
