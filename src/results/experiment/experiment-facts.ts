import { z } from "zod";
import { isObject, listOf, textOr, textOrNull } from "../tolerant.ts";

const variantFactsSchema = z.object({
  id: z.string(),
  description: textOr(""),
  /** What the variant does to the prompts of the tasks, in words; null where nobody noted it. */
  prompt: textOrNull,
});

/** The experiment of a run, in `plan.json` and `run.json`; ours. */
export const experimentFactsSchema = z.object({
  id: z.string(),
  description: textOr(""),
  /** As the user named it; null where the run directory does not tell. */
  file: textOrNull,
  /** Those that run, in the file's order. */
  variants: listOf(variantFactsSchema),
});

export type ExperimentFacts = z.infer<typeof experimentFactsSchema>;

interface PlannedExperiment {
  readonly experimentId: string;
  readonly description: string;
  /** Null for the built-in experiment. */
  readonly file: string | null;
  readonly variants: readonly { readonly variantId: string; readonly description: string; readonly prompt?: string | undefined }[];
}

/**
 * The experiment of a plan as its files record it; null where nobody asked for one.
 * @param redact hides secrets; ids stay, as they do in rows: results are found by them
 */
export function recordExperiment(planned: PlannedExperiment, redact: (text: string) => string): ExperimentFacts | null {
  const { experimentId, description, file, variants } = planned;
  if (file === null) return null;
  return {
    id: experimentId,
    description: redact(description),
    file: redact(file),
    variants: variants.map((variant) => ({
      id: variant.variantId,
      description: redact(variant.description),
      prompt: variant.prompt === undefined ? null : redact(variant.prompt),
    })),
  };
}

/** What an `experiment.json` of any writer tells of its experiment; undefined for the default experiment and for what is none. */
export function factsOfExperimentFile(value: unknown): ExperimentFacts | undefined {
  const file = isObject(value) ? value : {};
  if (typeof file.experiment_id !== "string" || file.experiment_id === defaultExperimentId) return undefined;
  const ids = Array.isArray(file.variant_ids) ? file.variant_ids.filter((id) => typeof id === "string") : [];
  return {
    id: file.experiment_id,
    description: typeof file.description === "string" ? file.description : "",
    file: null,
    variants: ids.map((id) => ({ id, description: "", prompt: null })),
  };
}

/** Of runs without an experiment file. */
export const defaultExperimentId = "default";
