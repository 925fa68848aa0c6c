import type { LoadedExperiment, LoadedVariant } from "./loaded-experiment.ts";

/** What a variant does to the prompts of the tasks, for reports: `base prompt`, `own prompt`, `2 mutations: prefix, replace`. */
export function promptWords({ defaults }: LoadedExperiment, variant: LoadedVariant): string {
  if (variant.initial_prompt !== undefined) return "own prompt";
  const types = [...defaults.prompt_mutations, ...variant.prompt_mutations].map(({ type }) => type);
  if (types.length === 0) return "base prompt";
  return `${types.length} ${types.length === 1 ? "mutation" : "mutations"}: ${types.join(", ")}`;
}
