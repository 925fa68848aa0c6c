import type { CriterionResult } from "../criterion-result.ts";
import type { AttemptCriterion } from "../resume/attempt-history.ts";
import { type LabelPairs, labelMetrics, type Metrics, scoreMetrics } from "./aggregate.ts";
import type { CriterionSpec } from "./criterion-spec.ts";
import { errorLabel, expectedLabelOf, isClassification, unknownLabel } from "./expected-label.ts";
import { LabelCounts } from "./label-pairs.ts";
import type { CriterionAggregate } from "./suite-rollup-schema.ts";
import { checkThresholds } from "./threshold-checks.ts";

/** Why a row has no result: `closed` is a miss for good; `open` was not run or not graded, and may still come. */
export type MissingKind = "closed" | "open";

/** What is counted of a criterion's result. */
export type TalliedCriterion = Pick<CriterionResult, "criterion_type" | "score" | "error" | "observed_label" | "expected_label">;

/** The same of an earlier attempt, which its row's history tells of. */
export function talliedOf({ score, failed_to_check, ...labels }: AttemptCriterion): TalliedCriterion {
  return { ...labels, score: Math.min(1, Math.max(0, score)), error: failed_to_check ? "it could not be checked" : null };
}

const noAggregate = "Criterion checker did not produce an aggregate, so thresholds cannot be evaluated.";

/**
 * The numbers of one criterion of a suite, by its position in the task file: per row a score, and counts of labels. A row without
 * a result counts as score 0 and as observed `(error)` (docs/decisions/0010).
 */
export class CriterionTally {
  readonly #scores: number[] = [];
  readonly #labelled = new LabelCounts();
  /** Expected labels of rows without an observed one: with a result that has none, and without a result. */
  readonly #unlabelled = new Map<string, number>();
  readonly #missing = { closed: new Map<string, number>(), open: new Map<string, number>() };
  readonly #missed = { closed: 0, open: 0 };
  #errors = 0;

  get scores(): readonly number[] {
    return this.#scores;
  }

  /** Results with an error. */
  get errors(): number {
    return this.#errors;
  }

  /** Rows so far, with a result or without. */
  get rows(): number {
    return this.#scores.length + this.#missed.closed + this.#missed.open;
  }

  add(result: TalliedCriterion, resolved: unknown): void {
    this.#scores.push(result.score);
    if (result.error !== null) this.#errors += 1;
    const { observed_label: observed, expected_label: expected } = result;
    if (typeof observed === "string" && typeof expected === "string") this.#labelled.add(expected, observed, 1);
    else if (isClassification(result.criterion_type)) increase(this.#unlabelled, expected ?? labelOf(resolved), 1);
  }

  /** Rows without a result; `resolved` is their criterion, undefined where nobody knows it. */
  miss(kind: MissingKind, resolved: unknown, rows = 1): void {
    this.#missed[kind] += rows;
    increase(this.#missing[kind], labelOf(resolved), rows);
  }

  /** Of all rows of the suite, `open` of which are open rows that were not told of here. Undefined where no row has a result and nothing is asked. */
  aggregate(spec: CriterionSpec, rows: { readonly total: number; readonly open: number }): Omit<CriterionAggregate, "index"> | undefined {
    const untold = rows.total - this.rows;
    const openUntold = Math.min(rows.open, untold);
    const all: AllRows = { total: rows.total, open: this.#missed.open + openUntold, openUntold, closedUntold: untold - openUntold };
    const excluded = rows.total - this.#scores.length;
    const head = { criterion_type: spec.type, description: spec.description, rows_total: rows.total, rows_excluded: excluded };
    if (this.#scores.length === 0) {
      if (spec.thresholds.length === 0) return undefined;
      const checks = checkThresholds(spec.thresholds, new Map());
      const outcome = { metrics: {}, threshold_checks: checks, passed: false, details: {}, error: noAggregate, metrics_graded: null };
      return { ...head, ...outcome, undecided: all.open > 0 };
    }
    const { metrics, details } = this.#measureAll(spec, all, "missed");
    const checks = checkThresholds(spec.thresholds, metrics);
    const passed = checks.every((check) => check.passed);
    const couldPass = () => checkThresholds(spec.thresholds, this.#measureAll(spec, all, "right").metrics).every((check) => check.passed);
    return {
      ...head,
      metrics: Object.fromEntries(metrics),
      threshold_checks: checks,
      passed,
      details,
      error: null,
      metrics_graded: excluded === 0 ? null : Object.fromEntries(this.#measureGraded(spec, rows.total).metrics),
      undecided: !passed && all.open > 0 && couldPass(),
    };
  }

  #measureGraded(spec: CriterionSpec, total: number): Measured {
    return measure(this.#scores, isClassification(spec.type) ? this.#labelled.pairs : undefined, this.#scores.length / total);
  }

  /** With the open rows counted as misses, or as if all of them had come out right. */
  #measureAll(spec: CriterionSpec, { total, open, openUntold, closedUntold }: AllRows, openRows: "missed" | "right"): Measured {
    const graded = this.#scores.length;
    const completed = openRows === "right" ? graded + open : graded;
    const scores = new Float64Array(total);
    scores.set(this.#scores);
    scores.fill(1, graded, completed);
    if (!isClassification(spec.type)) return measure(scores, undefined, completed / total);
    const counts = this.#labelled.copy();
    const miss = (label: string, rows: number) => rows > 0 && counts.add(label, errorLabel, rows);
    for (const labels of [this.#unlabelled, this.#missing.closed]) for (const [label, rows] of labels) miss(label, rows);
    miss(unknownLabel, closedUntold);
    for (const [label, rows] of [...this.#missing.open, [unknownLabel, openUntold] as const]) {
      if (openRows === "missed") miss(label, rows);
      else counts.add(label, label, rows);
    }
    return measure(scores, counts.pairs, completed / total);
  }
}

interface AllRows {
  readonly total: number;
  readonly open: number;
  readonly openUntold: number;
  readonly closedUntold: number;
}

interface Measured {
  readonly metrics: Metrics;
  readonly details: CriterionAggregate["details"];
}

function measure(scores: Iterable<number>, pairs: LabelPairs | undefined, completionRate: number): Measured {
  const metrics = new Map<string, number>(scoreMetrics(scores) ?? []);
  const labelled = pairs === undefined ? undefined : labelMetrics(pairs);
  for (const [name, value] of labelled?.metrics ?? noMetrics) metrics.set(name, value);
  metrics.set("completion_rate", completionRate);
  return { metrics, details: labelled?.details ?? {} };
}

const noMetrics: Metrics = new Map();

function labelOf(resolved: unknown): string {
  return expectedLabelOf(resolved) ?? unknownLabel;
}

function increase(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
