import { type Fields, pickSet } from "../layers/merge.ts";
import { isMapping } from "../schema/field-types.ts";
import { childOf } from "../schema/schema-keys.ts";
import type { ExperimentDefaults, ExperimentDefinition, ExperimentVariant } from "./experiment-schema.ts";
import type { ExperimentLayer, LoadedExperiment, LoadedVariant } from "./loaded-experiment.ts";

/**
 * What the blocks of an experiment file set (formats.md 3.1, 3.2).
 * @param fields the file's own values, paths resolved
 * @param definition the same, validated
 */
export function blocksOf(
  fields: Fields,
  definition: ExperimentDefinition,
): Pick<LoadedExperiment, "experimentId" | "description" | "defaults" | "variants"> {
  const { defaults } = definition;
  const nothing = { template_sources: [], prompt_mutations: [], pre_run: [], post_run: [], path: ["defaults"] };
  return {
    experimentId: definition.experiment_id,
    description: definition.description,
    defaults: defaults === null ? nothing : defaultsLayer(fields.defaults, defaults),
    variants: definition.variants.map((variant, index) => variantLayer(childOf(fields.variants, index), variant, index)),
  };
}

function defaultsLayer(set: unknown, defaults: ExperimentDefaults): ExperimentLayer {
  const { template_sources: _dropped, ...nested } = pickBlock(childOf(set, "sandbox"), defaults.sandbox) ?? {};
  const sandbox = { ...nested, ...driverOf(defaults) };
  return {
    ...commonOf(set, defaults, ["defaults"]),
    sandbox: Object.keys(sandbox).length === 0 ? undefined : sandbox,
    pre_run: defaults.pre_run ?? [],
    post_run: defaults.post_run ?? [],
  };
}

function variantLayer(set: unknown, variant: ExperimentVariant, index: number): LoadedVariant {
  return {
    variantId: variant.variant_id,
    description: variant.description,
    ...commonOf(set, variant, ["variants", index]),
    sandbox: variant.driver === null ? undefined : driverOf(variant),
    initial_prompt: variant.initial_prompt ?? undefined,
    pre_run: [],
    post_run: [],
  };
}

function commonOf(set: unknown, block: ExperimentDefaults | ExperimentVariant, path: readonly PropertyKey[]) {
  return {
    agent: pickBlock(childOf(set, "agent"), block.agent),
    run_limits: pickBlock(childOf(set, "run_limits"), block.run_limits),
    simulation: pickBlock(childOf(set, "simulation"), block.simulation),
    repeats: block.repeats ?? undefined,
    template_sources: block.template_sources ?? [],
    prompt_mutations: block.prompt_mutations ?? [],
    path,
  };
}

function driverOf({ driver }: ExperimentDefaults | ExperimentVariant): Fields {
  return driver === null ? {} : { driver };
}

/** The block without what the schemas add. */
function pickBlock(set: unknown, validated: unknown): Fields | undefined {
  const picked = pickSet(set, validated);
  return isMapping(set) && isMapping(picked) ? picked : undefined;
}
