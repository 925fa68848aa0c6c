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
  const made = makeNames(summary);
  known.set(summary, made);
  return made;
}

function makeNames(summary: Run): RowNames {
  const withVariant = hasVariants(summary);
  const repeated = new Set<string>();
  for (const rows of [summary.task_results, summary.not_run]) {
    for (const row of rows) if ((row.replicate_index ?? 0) > 0) repeated.add(keyOfCell(row));
  }
  const name = (row: RowRef, withReplicate: boolean): string => {
    const parts = [
      ...(withVariant ? [row.variant_id ?? "default"] : []),
      ...(withReplicate && repeated.has(keyOfCell(row)) ? [String(row.replicate_index ?? 0).padStart(2, "0")] : []),
    ];
    // Texts are cut at their end: what tells an overlong id from others must not be lost there.
    return parts.length === 0 ? row.task_id : `${cut(row.task_id, idChars)} (${parts.map((part) => cut(part, partChars)).join(", ")})`;
  };
  return { of: (row) => name(row, true), ofTask: (row) => name(row, false) };
}
