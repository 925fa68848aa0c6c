import { isObject } from "../any-object.ts";
import { rowKeyText } from "../layout.ts";
import type { RunRow } from "../run-row.ts";
import type { EvaluationResult } from "../task-result.ts";
import type { SuiteRollup } from "./suite-rollup-schema.ts";
import { SuiteTally } from "./suite-tally.ts";

/** A row of a suite that has no result. */
export interface AbsentRow {
  readonly variantId: string;
  readonly suiteId: string;
  readonly rowId: string;
  /** `success_criteria` of the resolved task, for thresholds and expected labels; empty where nobody knows them. */
  readonly criteria: readonly unknown[];
  /** Place of the row in the plan. */
  readonly order: number;
  /** Of a row that ended in an error; absent where it was never run. */
  readonly row?: RunRow | undefined;
}

/** The numbers of all suites of a run; fed with each row once, so that no result stays in memory. */
export interface SuiteTotals {
  /** A result; nothing for one that is of no suite. `order`: place of the row in the plan. */
  add(result: EvaluationResult, row: RunRow, order: number): void;
  addAbsent(row: AbsentRow): void;
  /** Whether there is such a suite. */
  has(variantId: string, suiteId: string): boolean;
  /** One per variant and suite, in the order in which their rows stand in the plan. */
  rollups(): SuiteRollup[];
}

export function createSuiteTotals(): SuiteTotals {
  const suites = new Map<string, { readonly variantId: string; readonly suiteId: string; readonly tally: SuiteTally; order: number }>();
  const suiteOf = (variantId: string, suiteId: string, order: number): SuiteTally => {
    const key = rowKeyText(variantId, suiteId, 0);
    const found = suites.get(key) ?? { variantId, suiteId, tally: new SuiteTally(), order };
    found.order = Math.min(found.order, order);
    suites.set(key, found);
    return found.tally;
  };
  return {
    add(result, row, order) {
      const suite = suiteRowOf(result);
      if (suite === undefined) return;
      const { suiteId, rowId, criteria } = suite;
      suiteOf(row.variant_id ?? result.variant_id, suiteId, order).addResult(result, row, { rowId, criteria, order });
    },
    addAbsent({ variantId, suiteId, row, ...facts }) {
      const tally = suiteOf(variantId, suiteId, facts.order);
      if (row === undefined) tally.addNotRun(facts);
      else tally.addError(row, facts);
    },
    has: (variantId, suiteId) => suites.has(rowKeyText(variantId, suiteId, 0)),
    rollups: () =>
      [...suites.values()].sort((a, b) => a.order - b.order).map(({ tally, suiteId, variantId }) => tally.rollup(suiteId, variantId)),
  };
}

interface SuiteOfResult {
  readonly suiteId: string;
  readonly rowId: string;
  readonly criteria: readonly unknown[];
}

/** What a result tells of its suite: our own facts, else the resolved task (formats.md 5); undefined for a task that is no row. */
function suiteRowOf(result: EvaluationResult): SuiteOfResult | undefined {
  const resolved = result.task_config?.resolved ?? {};
  const suiteId = result.evalbatch?.suite_id ?? textOf(resolved.suite_id);
  const rowId = result.evalbatch?.row_id ?? textOf(resolved.row_id);
  if (suiteId === undefined || suiteId === "") return undefined;
  return { suiteId, rowId: rowId ?? rowIdOf(result.task_id), criteria: criteriaOf(resolved) };
}

/** `success_criteria` of a resolved task. */
export function criteriaOf(resolved: unknown): readonly unknown[] {
  const written = isObject(resolved) ? resolved.success_criteria : undefined;
  return Array.isArray(written) ? written : [];
}

/** The part of a row's task id behind its suite: row ids hold no `/` (formats.md 6.1). */
export function rowIdOf(taskId: string): string {
  return taskId.slice(taskId.lastIndexOf("/") + 1);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
