import { pythonStr } from "../../python/repr.ts";
import type { RecordedDraw, Sampling } from "../plan-options.ts";
import type { Dataset } from "../schema/task-schema.ts";
import { fieldValue, hasField, type NamedRow, type Row, textOf } from "./row.ts";
import { takeSeeded } from "./seeded-order.ts";

export interface Selection {
  readonly rows: readonly NamedRow[];
  readonly mode: "all" | "sample" | "per-stratum";
  /** Null where nothing is drawn. */
  readonly seed: string | null;
  /** Rows at most, of the whole or of each stratum. */
  readonly limit: number | null;
  /** How many strata there are. */
  readonly strata: number | null;
}

/**
 * Which rows run (formats.md 1.7, step 3), in the order of the dataset. The drawing is ours: those rows that come first
 * in an order by seed and row id, so that another row changes at most one, and the order of the rows none.
 */
export function selectRows(rows: readonly NamedRow[], dataset: Dataset, sampling: Sampling, recorded?: RecordedDraw): Selection {
  if (sampling.sample !== undefined) {
    const seed = sampling.sampleSeed ?? (recorded?.mode === "sample" ? recorded.seed : null) ?? "0";
    const drawn = { mode: "sample", seed, limit: sampling.sample, strata: null } as const;
    return { ...drawn, rows: recordedRows(rows, drawn, recorded) ?? takeSeeded(rows, sampling.sample, seed, idOf) };
  }
  const limit = sampling.samplePerStratum ?? dataset.sample_per_stratum;
  if (limit === null) return { rows, mode: "all", seed: null, limit: null, strata: null };
  const own = dataset.sample_seed === null ? undefined : String(dataset.sample_seed);
  const seed = sampling.sampleSeed ?? own ?? (recorded?.mode === "per-stratum" ? recorded.seed : null) ?? sampling.runSeed;
  const strata = new Map<string, NamedRow[]>();
  for (const named of rows) {
    const stratum = stratumOf(named.row, dataset.stratify_field);
    const members = strata.get(stratum);
    if (members === undefined) strata.set(stratum, [named]);
    else members.push(named);
  }
  const drawn = { mode: "per-stratum", seed, limit, strata: strata.size } as const;
  const before = recordedRows(rows, drawn, recorded);
  if (before !== undefined) return { ...drawn, rows: before };
  const kept = new Set([...strata.values()].flatMap((stratum) => takeSeeded(stratum, limit, seed, idOf)));
  return { ...drawn, rows: rows.filter((row) => kept.has(row)) };
}

/** The rows of the same draw before, as far as they are still there; undefined where another draw is asked for. */
function recordedRows(
  rows: readonly NamedRow[],
  drawn: Omit<Selection, "rows">,
  recorded: RecordedDraw | undefined,
): NamedRow[] | undefined {
  if (recorded === undefined || recorded.mode !== drawn.mode) return undefined;
  if (recorded.seed !== drawn.seed || recorded.limit !== drawn.limit) return undefined;
  const again = rows.filter(({ id }) => recorded.rowIds.has(id));
  return again.length === 0 ? undefined : again;
}

function idOf({ id }: NamedRow): string {
  return id;
}

/** Python's `str(row.get(field, ""))`. */
function stratumOf(row: Row, field: string): string {
  return textOf(row, field) ?? (hasField(row, field) ? pythonStr(fieldValue(row, field)) : "");
}
