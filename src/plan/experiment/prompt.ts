import type { Problem } from "../issues.ts";
import type { LineageEntry } from "../resolved-task.ts";
import type { LoadedExperiment, LoadedVariant } from "./loaded-experiment.ts";
import { applyMutation, type Fill } from "./prompt-mutations.ts";
import { type PlacedMutation, rowPlaceholders, rowPlaceholdersOf, unfilledPlaceholders } from "./unfilled.ts";

export type ResolvedPrompt =
  | {
      readonly kind: "prompt";
      readonly prompt: string | null;
      /** Only where the experiment touches the prompt. */
      readonly entry: LineageEntry | undefined;
      /** Paths are those of the experiment file. */
      readonly warnings: readonly Problem[];
    }
  /** The path is one of the experiment file. */
  | { readonly kind: "problem"; readonly problem: Problem };

/**
 * The prompt of a task in a variant (formats.md 3.1, 3.2): the variant's own one, which switches all mutations off, or the
 * task's after the mutations of the defaults and then those of the variant. A task without a prompt (no agent, or a
 * dialog) stays without one: there is nothing to mutate. Whether it may be given one is for the rules of the resolved task.
 * @param fill for a dataset row: fills `${row.<field>}` in the experiment's texts (upstream leaves them as they are)
 */
export function resolvePrompt(prompt: string | null, experiment: LoadedExperiment, variant: LoadedVariant, fill?: Fill): ResolvedPrompt {
  if (variant.initial_prompt !== undefined) return replacedPrompt(variant.initial_prompt, [...variant.path, "initial_prompt"], fill);
  const { defaults } = experiment;
  const mutations = [...placed(defaults), ...placed(variant)];
  if (mutations.length === 0 || prompt === null) return { kind: "prompt", prompt, entry: undefined, warnings: [] };
  let current = prompt;
  for (const { mutation, path } of mutations) {
    const mutated = applyMutation(current, mutation, fill);
    if (mutated.kind === "problem") {
      const { field, ...problem } = mutated.problem;
      return { kind: "problem", problem: { severity: "error", ...problem, path: [...path, ...field] } };
    }
    current = mutated.text;
  }
  const warnings = [
    ...unfilledPlaceholders(current, mutations),
    ...(fill === undefined ? mutations.flatMap((mutation) => rowPlaceholdersOf(mutation)) : []),
  ];
  return { kind: "prompt", prompt: current, entry: mutatedEntry(experiment, variant), warnings };
}

function replacedPrompt(text: string, path: readonly PropertyKey[], fill: Fill | undefined): ResolvedPrompt {
  const filled = fill?.(text) ?? { kind: "text", text };
  if (filled.kind === "problem")
    return { kind: "problem", problem: { severity: "error", code: "row-placeholder", path, message: filled.message } };
  const entry: LineageEntry = { value: "(overridden)", source: "variant", source_detail: "initial_prompt override" };
  return { kind: "prompt", prompt: filled.text, entry, warnings: fill === undefined ? rowPlaceholders(text, path) : [] };
}

function placed({ prompt_mutations, path }: LoadedVariant | LoadedExperiment["defaults"]): PlacedMutation[] {
  return prompt_mutations.map((mutation, index) => ({ mutation, path: [...path, "prompt_mutations", index] }));
}

/** In the words of 0.8.2. */
function mutatedEntry({ defaults }: LoadedExperiment, variant: LoadedVariant): LineageEntry {
  const types = [...defaults.prompt_mutations, ...variant.prompt_mutations].map(({ type }) => type);
  const sources = [
    ...(defaults.prompt_mutations.length > 0 ? ["experiment-defaults"] : []),
    ...(variant.prompt_mutations.length > 0 ? [`variant '${variant.variantId}'`] : []),
  ];
  const detail = `${types.length} ops (${types.join(", ")}) from ${sources.join(" + ")}`;
  return { value: "(mutated)", source: "mutation", source_detail: detail };
}
