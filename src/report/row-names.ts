import { cut } from "../results/cut-text.ts";
import { hasVariants } from "../results/experiment/experiment-of.ts";
import { keyOfCell } from "../results/known-rows.ts";
import type { RowRef } from "../results/row-digest.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";

/** How the rows of one run are called. Foreign text. */
export interface RowNames {
  /** The task's id, with variant and replicate where there is more than one of them: `answer`, `answer (candidate, 01)`. */
  of(row: RowRef): string;
  /** The same for all replicates of a task in a variant: `answer (candidate)`. */
  ofTask(row: RowRef): string;
}

const idChars = 140;
const partChars = 50;

type Run = Pick<RunSummary, "task_results" | "not_run" | "experiment" | "total_duration_seconds">;

/** Every report asks, some of them several times. */
const known = new WeakMap<Run, RowNames>();

/** Names that differ for all rows of a run, as long as no id looks like one. */
export function rowNames(summary: Run): RowNames {
  const found = known.get(summary);
  if (found !== undefined) return found;
  const made = makeNames([...summary.task_results, ...summary.not_run], hasVariants(summary));
  known.set(summary, made);
  return made;
}

/**
 * The same names before anything has run.
 * @param rows all that are planned
 * @param variants all that the experiment is run with; one without rows is one too
 */
export function namesOfPlanned(rows: readonly RowRef[], variants: readonly string[]): RowNames {
  return makeNames(rows, new Set([...variants, ...rows.map(variantOf)]).size > 1);
}

const variantOf = (row: RowRef): string => row.variant_id ?? "default";

function makeNames(rows: readonly RowRef[], withVariant: boolean): RowNames {
  const repeated = new Set<string>();
  for (const row of rows) if ((row.replicate_index ?? 0) > 0) repeated.add(keyOfCell(row));
  const name = (row: RowRef, withReplicate: boolean): string => {
    const parts = [
      ...(withVariant ? [variantOf(row)] : []),
      ...(withReplicate && repeated.has(keyOfCell(row)) ? [String(row.replicate_index ?? 0).padStart(2, "0")] : []),
    ];
    // Texts are cut at their end: what tells an overlong id from others must not be lost there.
    return parts.length === 0 ? row.task_id : `${cut(row.task_id, idChars)} (${parts.map((part) => cut(part, partChars)).join(", ")})`;
  };
  return { of: (row) => name(row, true), ofTask: (row) => name(row, false) };
}
