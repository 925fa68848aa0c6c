import { type Experiment, hasReplicates } from "../results/experiment/experiment-of.ts";
import type { VariantFigures } from "../results/experiment/experiment-schema.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { plural, thousands } from "./number-text.ts";
import { costText, meanScoreText, passedText, rateText, timeText, tokensText } from "./variant-text.ts";

export interface VariantColumn {
  readonly header: string;
  readonly cell: (figures: VariantFigures) => string;
}

/** What a table of variants tells of each beside its name, the same in every report; columns that would be empty are left out. */
export function variantColumns(summary: RunSummary, { result }: Experiment): VariantColumn[] {
  const all = result.evalbatch.variants;
  const columns: readonly (VariantColumn & { readonly when?: boolean })[] = [
    { header: "Passed", cell: passedText },
    { header: "Pass rate (95 %)", cell: rateText },
    { header: "Score", cell: (of) => meanScoreText(result.variant_aggregates[of.variant_id]) },
    { header: "Errors", cell: (of) => thousands(of.errors) },
    { header: "Not run", cell: (of) => thousands(of.not_run), when: all.some((of) => of.not_run > 0) },
    { header: "Flaky", cell: (of) => plural(of.tasks_flaky, "task"), when: hasReplicates(summary) },
    { header: "Cost", cell: costText, when: all.some((of) => of.total_cost_usd !== null) },
    { header: "Tokens", cell: tokensText, when: all.some((of) => of.total_tokens !== null) },
    { header: "Mean time", cell: timeText },
  ];
  return columns.filter(({ when = true }) => when);
}
