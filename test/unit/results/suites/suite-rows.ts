import { type CriterionResult, criterionResultSchema } from "../../../../src/results/criterion-result.ts";
import type { FinalStatus } from "../../../../src/results/final-status.ts";
import type { EarlierAttempt } from "../../../../src/results/resume/attempt-history.ts";
import type { SuiteRollup } from "../../../../src/results/suites/suite-rollup-schema.ts";
import { createSuiteTotals, type SuiteTotals } from "../../../../src/results/suites/suite-totals.ts";
import { toRunRow } from "../../../../src/results/task-to-row.ts";
import { sampleResult } from "../fixtures.ts";

/** A row of the suite `s` and what its criteria found. */
export interface SampleRow {
  readonly status?: FinalStatus;
  /** Scores, or labels as `[expected, observed]`; fewer than there are criteria for a row that broke. */
  readonly found?: readonly (number | readonly [expected: string, observed: string] | CriterionResult)[];
  readonly variant?: string;
  readonly suite?: string;
  readonly replicate?: number;
  readonly score?: number | null;
  readonly error?: string;
  /** Attempts before this one. */
  readonly history?: readonly EarlierAttempt[];
  /** Criteria of this row alone; null where its result does not tell. */
  readonly criteria?: readonly unknown[] | null;
}

export const scored = (thresholds: Record<string, unknown> | null = null, extra: object = {}) => ({
  type: "file_exists",
  description: "there",
  suite_thresholds: thresholds,
  ...extra,
});

export const labelled = (expected: string, thresholds: Record<string, unknown> | null = null) => ({
  type: "classification_match",
  description: "label",
  expected_label: expected,
  allowed_labels: ["yes", "no", "maybe"],
  suite_thresholds: thresholds,
});

/** A result of such a row, as a run records it. */
export function addRow(totals: SuiteTotals, row: SampleRow, order: number, criteria: readonly unknown[]): void {
  const known = row.criteria === undefined ? criteria : row.criteria;
  const found = (row.found ?? []).map((entry, index) => criterionOf(entry, known?.[index] ?? criteria[index]));
  const [suiteId, rowId] = [row.suite ?? "s", `r${order}`];
  const result = sampleResult({
    task_id: `${suiteId}/${rowId}`,
    variant_id: row.variant ?? "default",
    final_status: row.status ?? "SUCCESS",
    weighted_score: row.score === undefined ? 1 : row.score,
    error_message: row.error ?? null,
    success_criteria_results: found,
    task_config: {
      resolved: { suite_id: suiteId, row_id: rowId, ...(known === null ? {} : { success_criteria: known }) },
      source_yaml: "",
      source_file: null,
      lineage: {},
    },
  });
  const replicateIndex = row.replicate ?? 0;
  const resultDir = `${result.variant_id}/${result.task_id}/${String(replicateIndex).padStart(2, "0")}`;
  const plain = toRunRow(result, { replicateIndex, variantId: result.variant_id, tags: [], taskPath: null, resultDir });
  const earlier_attempts = [...(row.history ?? [])];
  totals.add(result, { ...plain, earlier_attempts, attempt: earlier_attempts.length + 1 }, order);
}

export function criterionOf(entry: NonNullable<SampleRow["found"]>[number], resolved: unknown): CriterionResult {
  const type = typeof resolved === "object" && resolved !== null && "type" in resolved ? resolved.type : "file_exists";
  if (typeof entry === "number") return criterionResultSchema.parse({ criterion_type: type, description: "there", score: entry });
  if (!isPair(entry)) return entry;
  const [expected, observed] = entry;
  const score = expected === observed ? 1 : 0;
  return criterionResultSchema.parse({
    criterion_type: type,
    description: "label",
    score,
    expected_label: expected,
    observed_label: observed,
  });
}

function isPair(entry: readonly [string, string] | CriterionResult): entry is readonly [string, string] {
  return Array.isArray(entry);
}

/** The suites of such rows, in the order given. */
export function rollupsOf(rows: readonly SampleRow[], criteria: readonly unknown[]): SuiteRollup[] {
  const totals = createSuiteTotals();
  for (const [order, row] of rows.entries()) addRow(totals, row, order, criteria);
  return totals.rollups();
}

/** The one suite of such rows. */
export function rollupOf(rows: readonly SampleRow[], criteria: readonly unknown[]): SuiteRollup {
  const [rollup, ...others] = rollupsOf(rows, criteria);
  if (rollup === undefined || others.length > 0) throw new Error(`${others.length + 1} suites`);
  return rollup;
}
