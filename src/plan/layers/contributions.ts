import { type Place, placeIn } from "../issues.ts";
import type { LineageSource } from "../resolved-task.ts";
import { isMapping } from "../schema/field-types.ts";
import { childOf } from "../schema/schema-keys.ts";
import { filePath } from "./file-path.ts";
import { type Layer, type LayerInput, layersOf } from "./layer.ts";

/** What one layer says about a field, whether it wins or not. */
export interface Contribution {
  readonly source: LineageSource;
  /** The layer as a person knows it: `the task`, `variant 'loud'`, `-D run_limits.max_turns`. */
  readonly name: string;
  readonly value: unknown;
  /** Where it stands; undefined for built-in values and the command line. */
  readonly place: Place | undefined;
}

/**
 * Every layer that sets a field (`run_limits.max_turns`, `sandbox.docker.image`, `repeats`, `pre_run`, …), the highest
 * first: what a person who wonders about a value has to look at (B146).
 */
export function contributionsTo(input: LayerInput, path: readonly string[]): readonly Contribution[] {
  return layersOf(input)
    .flatMap((layer) => contributionOf(layer, path, input))
    .reverse();
}

function contributionOf(layer: Layer, path: readonly string[], input: LayerInput): Contribution[] {
  if (path[0] === "initial_prompt" && layer.block !== undefined) return promptContributions(layer, input);
  const value = valueIn(layer, path, input);
  if (value === undefined || (path.length === 1 && isEmptyBlock(value))) return [];
  // A whole block may come from several flags.
  const flag = layer.source === "cli" && path.length > 1 ? layer.detailOf?.(path.join(".")) : undefined;
  return [{ source: layer.source, name: flag ?? layer.name, value, place: placeOf(layer, path, input) }];
}

/** What a block of the experiment does to every prompt. */
function promptContributions({ source, name, block }: Layer, { experiment, variant }: LayerInput): Contribution[] {
  if (block === undefined || experiment.parsed === undefined || source === "default") return [];
  const { parsed } = experiment;
  const own = block === variant ? variant.initial_prompt : undefined;
  const place = (field: string) => placeIn(parsed, [...block.path, field]);
  if (own !== undefined) return [{ source, name, value: own, place: place("initial_prompt") }];
  // A prompt of the variant's own switches all mutations off.
  if (block.prompt_mutations.length === 0 || variant.initial_prompt !== undefined) return [];
  return [{ source: "mutation", name: `prompt_mutations of ${name}`, value: block.prompt_mutations, place: place("prompt_mutations") }];
}

function valueIn(layer: Layer, path: readonly string[], { loaded }: LayerInput): unknown {
  const [root, ...rest] = path;
  const isTemplates = root === "sandbox" && rest[0] === "template_sources" && layer.source !== "cli";
  const block = isTemplates ? { template_sources: layer.template_sources } : blockOf(layer, root, loaded.fields);
  const value = rest.reduce<unknown>(stepInto, block);
  // A layer without commands says nothing about them.
  return Array.isArray(value) && value.length === 0 && (root === "pre_run" || root === "post_run") ? undefined : value;
}

/** A whole block of which a layer sets nothing. */
function isEmptyBlock(value: unknown): boolean {
  return isMapping(value) && Object.keys(value).length === 0;
}

function stepInto(at: unknown, step: string): unknown {
  return childOf(at, Array.isArray(at) && /^\d+$/.test(step) ? Number(step) : step);
}

function blockOf(layer: Layer, root: string | undefined, fields: LayerInput["loaded"]["fields"]): unknown {
  switch (root) {
    case "agent":
    case "run_limits":
    case "sandbox":
    case "simulation":
    case "pre_run":
    case "post_run":
    case "repeats":
      return layer[root];
    default:
      // What only a task file can say.
      return layer.source === "task" && root !== undefined ? childOf(fields, root) : undefined;
  }
}

function placeOf(layer: Layer, path: readonly string[], { loaded, experiment }: LayerInput): Contribution["place"] {
  if (layer.source === "task") {
    return placeIn(
      loaded.parsed,
      path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    );
  }
  if (layer.block === undefined || experiment.parsed === undefined || layer.source === "default") return undefined;
  return placeIn(experiment.parsed, filePath(layer.block.path, path, experiment.parsed.value));
}
