import { isMapping } from "../schema/field-types.ts";
import { type Layer, type Root, templateOrder } from "./layer.ts";
import { fieldRule, type MergeRule, settingsRules } from "./merge-rules.ts";

type Path = readonly PropertyKey[];

/** The layer that a merged value came from. */
export interface Origin {
  readonly layer: Layer;
  /** Where the value is below the layer's block of that root: places in appended lists differ from the merged ones. */
  readonly path: Path;
}

interface Candidate {
  readonly layer: Layer;
  readonly value: unknown;
  readonly path: Path;
}

/** The highest layer that sets the value at a path below a root; where none does, the one that sets what is nearest above it. */
export function originOf(layers: readonly Layer[], root: Root, path: Path): Origin | undefined {
  return search(settingsRules()[root], candidatesAt(layers, root, path), path);
}

function candidatesAt(layers: readonly Layer[], root: Root, path: Path): readonly Candidate[] {
  const isTemplates = root === "sandbox" && path[0] === "template_sources";
  const ordered = isTemplates ? templateOrder(layers) : layers;
  return ordered.flatMap((layer): Candidate[] => {
    const { template_sources } = layer;
    const value = isTemplates && template_sources !== undefined ? { template_sources } : layer[root];
    return value === undefined ? [] : [{ layer, value, path: [] }];
  });
}

function search(rule: MergeRule, candidates: readonly Candidate[], path: Path): Origin | undefined {
  const highest = candidates.at(-1);
  const [step, ...rest] = path;
  if (highest === undefined || step === undefined) return highest;
  if (rule.kind === "replace") return { layer: highest.layer, path: [...highest.path, ...path] };
  if (rule.kind === "append") return searchList(candidates, path) ?? highest;
  const inner = candidates.flatMap((candidate) => childOf(candidate, step));
  if (inner.length === 0) return highest;
  return search(fieldRule(rule, String(step)), inner, rest);
}

function childOf({ layer, value, path }: Candidate, step: PropertyKey): Candidate[] {
  if (!isMapping(value) || !Object.hasOwn(value, step)) return [];
  return [{ layer, value: value[String(step)], path: [...path, step] }];
}

function searchList(candidates: readonly Candidate[], [step, ...rest]: Path): Origin | undefined {
  if (typeof step !== "number") return undefined;
  let index = step;
  for (const { layer, value, path } of candidates) {
    const length = Array.isArray(value) ? value.length : 0;
    if (index < length) return { layer, path: [...path, index, ...rest] };
    index -= length;
  }
  return undefined;
}
