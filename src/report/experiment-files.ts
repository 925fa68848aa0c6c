import { experimentOf, isExperiment } from "../results/experiment/experiment-of.ts";
import type { ExperimentFiles } from "../results/experiment/write-experiment.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { renderExperimentMarkdown } from "./experiment-markdown.ts";
import { renderVariantMarkdown, variantRuns } from "./variant-markdown.ts";

/** What is written of a run's experiment; undefined for a run without an experiment file, several variants or replicates. */
export function experimentFiles(summary: RunSummary): ExperimentFiles | undefined {
  if (!isExperiment(summary)) return undefined;
  return {
    result: experimentOf(summary).result,
    markdown: renderExperimentMarkdown(summary),
    variants: variantRuns(summary).map((run) => ({ variantId: run.variantId, markdown: renderVariantMarkdown(summary, run) })),
  };
}
