import type { RunRow } from "../../../src/results/run-row.ts";
import { type SuiteSummary, suiteSummarySchema } from "../../../src/results/suites/suite-summary.ts";
import { attempt } from "./overview-builders.ts";

export function suite(suite_id: string, fields: Partial<SuiteSummary> = {}): SuiteSummary {
  return { ...suiteSummarySchema.parse({ suite_id, passed: true, rows_total: 4, rows_passed: 4, pass_rate: 1 }), ...fields };
}

export const missed = (metric: string, min_value: number, actual_value: number | null, criterion = "classification_match") => ({
  criterion,
  metric,
  min_value,
  actual_value,
});

/** A suite whose rows all pass and whose gate fails, one that is fine, one without a gate, one that is not decided. */
export const sampleSuites: readonly SuiteSummary[] = [
  suite("language", { checks: 2 }),
  suite("smoke"),
  suite("sentiment", {
    checks: 3,
    checks_failed: 2,
    passed: false,
    average_weighted_score: 0.75,
    failed_checks: [missed("accuracy", 0.9, 0.75), missed("recall.neutral", 0.5, 0)],
  }),
  suite("skills", {
    rows_total: 8,
    rows_passed: 4,
    rows_not_run: 4,
    checks: 1,
    checks_failed: 1,
    passed: false,
    undecided: true,
    failed_checks: [missed("recall.yes", 0.95, 0.5, "skill_triggered, criterion 2")],
  }),
];

/** Rows of these suites: all passed. */
export const suiteRows: readonly RunRow[] = sampleSuites.flatMap(({ suite_id }) =>
  ["r1", "r2", "r3", "r4"].map((row, index) => attempt(`${suite_id}/${row}`, { duration_seconds: 2 + index })),
);

/** A suite of which every text is foreign and bad. */
export function hostileSuite(text: string): SuiteSummary {
  return suite(text, {
    variant_id: text,
    checks: 1,
    checks_failed: 2,
    passed: false,
    undecided: text.length % 2 === 0,
    failed_checks: [missed(text, 0.5, 0.1, text)],
    result_dir: text,
  });
}
