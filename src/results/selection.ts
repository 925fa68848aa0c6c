import { z } from "zod";
import { listOf, numberOr, numberOrNull, textOr, textOrNull } from "./tolerant.ts";

const datasetSelectionSchema = z.object({
  suite_id: z.string(),
  rows_total: numberOr(0),
  rows_selected: numberOr(0),
  /** `all`, `sample` or `per-stratum`. */
  mode: textOr("all"),
  /** Null where nothing was drawn. */
  seed: textOrNull,
  /** Rows asked for, in all or per stratum. */
  limit: numberOrNull,
});

const capSchema = z.object({ max_tasks: z.number(), planned: z.number(), kept: z.number(), seed: z.string() });

/**
 * What was drawn from what, in `plan.json` and `run.json`: without it a sample looks like the whole. A resume goes by the
 * recorded rows, not by another draw (B66).
 */
export const selectionSchema = z.object({ datasets: listOf(datasetSelectionSchema), cap: capSchema.nullable().catch(null) });

export type Selection = z.infer<typeof selectionSchema>;

interface DrawnFacts {
  readonly datasets: readonly {
    readonly suiteId: string;
    readonly rowsTotal: number;
    readonly rowsSelected: number;
    readonly mode: string;
    readonly seed: string | null;
    readonly limit: number | null;
  }[];
  readonly cap: { readonly maxTasks: number; readonly planned: number; readonly kept: number; readonly seed: string } | undefined;
}

/**
 * The selection of a plan as its files record it; null where there is nothing to draw from.
 * @param redact hides secrets; a seed is any text that somebody gave
 */
export function recordSelection({ datasets, cap }: DrawnFacts, redact: (text: string) => string = (text) => text): Selection | null {
  if (datasets.length === 0 && cap === undefined) return null;
  return {
    datasets: datasets.map(({ suiteId, rowsTotal, rowsSelected, mode, seed, limit }) => ({
      suite_id: suiteId,
      rows_total: rowsTotal,
      rows_selected: rowsSelected,
      mode,
      seed: seed === null ? null : redact(seed),
      limit,
    })),
    cap: cap === undefined ? null : { max_tasks: cap.maxTasks, planned: cap.planned, kept: cap.kept, seed: redact(cap.seed) },
  };
}

const listedDatasets = 10;

/** One line per thing of which only a part ran. Suite ids are foreign text. */
export function selectionLines(selection: Selection | null): string[] {
  if (selection === null) return [];
  const { datasets, cap } = selection;
  const sampled = datasets.filter(({ rows_selected, rows_total }) => rows_selected < rows_total);
  return [
    ...(cap === null ? [] : [`a sample of ${cap.kept} of ${cap.planned} tasks (at most ${cap.max_tasks}, seed ${cap.seed})`]),
    ...sampled.slice(0, listedDatasets).map(({ suite_id, rows_selected, rows_total, seed }) => {
      const from = seed === null ? "" : ` (seed ${seed})`;
      return `${suite_id}: a sample of ${rows_selected} of ${rows_total} rows${from}`;
    }),
    ...(sampled.length > listedDatasets ? [`${sampled.length - listedDatasets} more datasets of which a sample ran`] : []),
  ];
}
