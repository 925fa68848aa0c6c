import { isMiss } from "./criterion-result.ts";
import { cut } from "./cut-text.ts";
import { categoryOf } from "./final-status.ts";
import { rowKeyText } from "./layout.ts";
import { logExcerpt } from "./log-excerpt.ts";
import type { RunRow } from "./run-row.ts";
import type { EvaluationResult } from "./task-result.ts";

export interface CriterionDetail {
  readonly type: string;
  readonly description: string;
  readonly score: number;
  readonly threshold: number;
  readonly gating: boolean;
  readonly missed: boolean;
  readonly details: string | null;
  readonly error: string | null;
}

/** What a page shows when a row is opened; every text bounded. */
export interface RowDetail {
  readonly description: string;
  readonly criteria: readonly CriterionDetail[];
  readonly criteriaLeftOut: number;
  readonly errorMessage: string | null;
  readonly logTail: string | null;
}

/** Details of the rows of a run within a fixed budget of memory; rows that did not succeed have a larger share of it. */
export interface RunDetails {
  add(result: EvaluationResult, row: RunRow): void;
  of(row: RunRow): RowDetail | undefined;
}

const defaultBudget = { missed: 6_000_000, succeeded: 2_000_000 };
const maxCriteria = 50;

/** `budget`: characters for rows that succeeded and for those that did not. */
export function createRunDetails(budget: { readonly missed: number; readonly succeeded: number } = defaultBudget): RunDetails {
  const kept = new Map<string, RowDetail>();
  const left = { ...budget };
  return {
    add(result, row) {
      const share = categoryOf(result.final_status) === "succeeded" ? "succeeded" : "missed";
      if (left[share] <= 0) return;
      const detail = detailOf(result);
      left[share] -= sizeOf(detail);
      kept.set(keyOf(row), detail);
    },
    of: (row) => kept.get(keyOf(row)),
  };
}

function keyOf(row: RunRow): string {
  return rowKeyText(row.variant_id, row.task_id, row.replicate_index);
}

function detailOf(result: EvaluationResult): RowDetail {
  return {
    description: cut(result.task_description.trim(), 500),
    criteria: result.success_criteria_results.slice(0, maxCriteria).map((criterion) => ({
      type: criterion.criterion_type,
      description: cut(criterion.description, 300),
      score: criterion.score,
      threshold: criterion.pass_threshold,
      gating: criterion.gating,
      missed: isMiss(criterion),
      details: criterion.details === null ? null : cut(criterion.details, 2000),
      error: criterion.error === null ? null : cut(criterion.error, 1000),
    })),
    criteriaLeftOut: Math.max(0, result.success_criteria_results.length - maxCriteria),
    errorMessage: result.error_message === null ? null : cut(result.error_message, 2000),
    logTail: result.error_log_tail === null ? null : logExcerpt(result.error_log_tail, 4000, result.error_message ?? undefined),
  };
}

function sizeOf(detail: RowDetail): number {
  const texts = [detail.description, detail.errorMessage, detail.logTail];
  for (const criterion of detail.criteria) texts.push(criterion.description, criterion.details, criterion.error);
  return 200 + texts.reduce((size, text) => size + (text?.length ?? 0) + 40, 0);
}
