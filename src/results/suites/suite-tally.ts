import { compareCodePoints } from "../../plan/code-points.ts";
import { countedOutcome, passedOnRetry } from "../counted-outcome.ts";
import { categoryOf } from "../final-status.ts";
import { PassRateTally } from "../pass-rate-interval.ts";
import type { RunRow } from "../run-row.ts";
import { mean } from "../statistics.ts";
import type { EvaluationResult } from "../task-result.ts";
import { type CriterionSpec, criterionSpecs } from "./criterion-spec.ts";
import { CriterionTally, type MissingKind, type TalliedCriterion, talliedOf } from "./criterion-tally.ts";
import { FailedSamples, failedSample } from "./failed-samples.ts";
import type { CriterionAggregate, SuiteRollup } from "./suite-rollup-schema.ts";

/** A row that a suite knows of. */
export interface SuiteRow {
  readonly rowId: string;
  /** `success_criteria` of the resolved task; empty where nobody knows it. */
  readonly criteria: readonly unknown[];
  /** Place in the plan: the first row names the criteria, the first failures are shown. */
  readonly order: number;
}

/** The numbers of one suite of one variant. Per row it keeps a few numbers. */
export class SuiteTally {
  readonly #rows = { succeeded: 0, failed: 0, error: 0, ungraded: 0, notRun: 0 };
  readonly #rate = new PassRateTally();
  readonly #scores: number[] = [];
  #passedOnRetry = 0;
  readonly #criteria: CriterionTally[] = [];
  readonly #samples = new FailedSamples();
  /** Open rows of which nobody knows the criteria. */
  #bareOpen = 0;
  #specs: { readonly rank: number; readonly specs: readonly CriterionSpec[] } | undefined;

  addResult(result: EvaluationResult, row: RunRow, { criteria, order, rowId }: SuiteRow): void {
    const results = result.success_criteria_results;
    this.#count(row);
    if (row.status !== "SUCCESS") this.#samples.add(order, () => failedSample(row, rowId, result));
    if (results.length > 0) this.#learn(order, criteria, results);
    this.#addCriteria(row, results, { criteria, order });
  }

  /** A row that ended without a result that could be read. */
  addError(row: RunRow, { criteria, order, rowId }: SuiteRow): void {
    this.#count(row);
    this.#samples.add(order, () => failedSample(row, rowId));
    this.#addCriteria(row, [], { criteria, order });
  }

  /** A row that was planned and never ran. */
  addNotRun({ criteria, order }: SuiteRow): void {
    this.#rows.notRun += 1;
    this.#missing("open", criteria, 0, order);
  }

  /** The categories go by the last attempt; all else by the one that counts. */
  #count(row: RunRow): void {
    this.#rows[categoryOf(row.status)] += 1;
    if (passedOnRetry(row)) this.#passedOnRetry += 1;
    this.#rate.add(row);
    const { weighted_score: score } = countedOutcome(row);
    if (score !== null) this.#scores.push(score);
  }

  #addCriteria(row: RunRow, last: readonly TalliedCriterion[], { criteria, order }: Omit<SuiteRow, "rowId">): void {
    const counted = countedOutcome(row);
    const results = counted.criteria?.map(talliedOf) ?? last;
    for (const [index, found] of results.entries()) this.#tally(index).add(found, criteria[index]);
    this.#missing(categoryOf(counted.status) === "ungraded" ? "open" : "closed", criteria, results.length, order);
  }

  #missing(kind: MissingKind, criteria: readonly unknown[], from: number, order: number): void {
    if (criteria.length === 0 && kind === "open") this.#bareOpen += 1;
    if (from === 0 && criteria.length > 0) this.#learn(order, criteria, []);
    for (let index = from; index < criteria.length; index += 1) this.#tally(index).miss(kind, criteria[index]);
  }

  /** The first row that has both criteria and results names them, else the first that has criteria: thresholds stand there. */
  #learn(order: number, criteria: readonly unknown[], results: EvaluationResult["success_criteria_results"]): void {
    const rank = order + (criteria.length === 0 ? 2 * behindAll : results.length === 0 ? behindAll : 0);
    if (this.#specs === undefined || rank < this.#specs.rank) this.#specs = { rank, specs: criterionSpecs(criteria, results) };
  }

  #tally(index: number): CriterionTally {
    while (this.#criteria.length <= index) this.#criteria.push(new CriterionTally());
    return this.#criteria[index] ?? new CriterionTally();
  }

  rollup(suiteId: string, variantId: string): SuiteRollup {
    const { succeeded, failed, error, ungraded, notRun } = this.#rows;
    const graded = succeeded + failed + error;
    const total = graded + ungraded + notRun;
    const aggregates = this.#aggregates(total);
    const rate = this.#rate.interval;
    const missed = aggregates.filter((aggregate) => !aggregate.passed);
    return {
      suite_id: suiteId,
      variant_id: variantId,
      rows_total: total,
      rows_passed: succeeded,
      rows_failed: failed,
      rows_error: error,
      rows_not_graded: ungraded,
      pass_rate: rate?.rate ?? 0,
      average_weighted_score: mean(this.#scores.toSorted((a, b) => a - b)) ?? null,
      criterion_stats: this.#statistics(),
      failed_samples: this.#samples.list,
      criterion_aggregates: aggregates,
      passed: missed.length === 0,
      rows_graded: graded,
      rows_not_run: notRun,
      undecided: missed.length > 0 && missed.every((aggregate) => aggregate.undecided),
      rows_passed_on_retry: this.#passedOnRetry,
      pass_rate_interval: rate,
    };
  }

  #aggregates(total: number): CriterionAggregate[] {
    return this.#criteria.flatMap((tally, index) => {
      const spec = this.#specs?.specs[index];
      const aggregate = spec === undefined ? undefined : tally.aggregate(spec, { total, open: this.#bareOpen });
      return aggregate === undefined ? [] : [{ ...aggregate, index }];
    });
  }

  #statistics(): SuiteRollup["criterion_stats"] {
    const types = Map.groupBy(this.#criteria.entries(), ([index]) => this.#specs?.specs[index]?.type ?? "unknown");
    return [...types]
      .map(([type, entries]) => ({ type, tallies: entries.map(([, tally]) => tally) }))
      .map(({ type, tallies }) => ({ type, tallies, scores: tallies.flatMap((tally) => [...tally.scores]).sort((a, b) => a - b) }))
      .filter(({ scores }) => scores.length > 0)
      .map(({ type, tallies, scores }) => ({
        criterion_type: type,
        rows_evaluated: scores.length,
        average_score: mean(scores) ?? 0,
        error_count: tallies.reduce((sum, tally) => sum + tally.errors, 0),
      }))
      .sort((a, b) => compareCodePoints(a.criterion_type, b.criterion_type));
  }
}

const behindAll = 1e12;
