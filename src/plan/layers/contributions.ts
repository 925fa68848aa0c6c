import type { Issue } from "../../errors.ts";
import { issueAt } from "../issues.ts";
import type { LineageSource } from "../resolved-task.ts";
import { isMapping } from "../schema/field-types.ts";
import { filePath } from "./file-path.ts";
import { type Layer, type LayerInput, layersOf } from "./layer.ts";

/** What one layer says about a field, whether it wins or not. */
export interface Contribution {
  readonly source: LineageSource;
  /** The layer as a person knows it: `the task`, `variant 'loud'`, `-D run_limits.max_turns`. */
  readonly name: string;
  readonly value: unknown;
  /** Where it stands; undefined for built-in values and the command line. */
  readonly place: Pick<Issue, "file" | "line" | "column"> | undefined;
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
  const value = valueIn(layer, path);
  if (value === undefined) return [];
  const flag = layer.source === "cli" ? layer.detailOf?.(path.join(".")) : undefined;
  return [{ source: layer.source, name: flag ?? layer.name, value, place: placeOf(layer, path, input) }];
}

function valueIn(layer: Layer, path: readonly string[]): unknown {
  const [root, ...rest] = path;
  const isTemplates = root === "sandbox" && rest[0] === "template_sources" && layer.source !== "cli";
  const block = isTemplates ? { template_sources: layer.template_sources } : blockOf(layer, root);
  const value = rest.reduce<unknown>((at, step) => (isMapping(at) && Object.hasOwn(at, step) ? at[step] : undefined), block);
  // A layer without commands says nothing about them.
  return Array.isArray(value) && value.length === 0 && (root === "pre_run" || root === "post_run") ? undefined : value;
}

function blockOf(layer: Layer, root: string | undefined): unknown {
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
      return undefined;
  }
}

function placeOf(layer: Layer, path: readonly string[], { loaded, experiment }: LayerInput): Contribution["place"] {
  if (layer.source === "task") return placeIn(loaded.parsed, path);
  if (layer.block === undefined || experiment.parsed === undefined || layer.source === "default") return undefined;
  return placeIn(experiment.parsed, filePath(layer.block.path, path, experiment.parsed.value));
}

function placeIn(parsed: LayerInput["loaded"]["parsed"], path: readonly PropertyKey[]): Contribution["place"] {
  const { file, line, column } = issueAt(parsed, { severity: "warning", code: "place", path, message: "" });
  return { file, line, column };
}
