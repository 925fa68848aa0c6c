import { pythonStr } from "../../python/repr.ts";
import type { Sampling } from "../plan-options.ts";
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
export function selectRows(rows: readonly NamedRow[], dataset: Dataset, sampling: Sampling): Selection {
  if (sampling.sample !== undefined) {
    const seed = sampling.sampleSeed ?? "0";
    return { rows: takeSeeded(rows, sampling.sample, seed, idOf), mode: "sample", seed, limit: sampling.sample, strata: null };
  }
  const limit = sampling.samplePerStratum ?? dataset.sample_per_stratum;
  if (limit === null) return { rows, mode: "all", seed: null, limit: null, strata: null };
  const own = dataset.sample_seed === null ? undefined : String(dataset.sample_seed);
  const seed = sampling.sampleSeed ?? own ?? sampling.runSeed;
  const strata = new Map<string, NamedRow[]>();
  for (const named of rows) {
    const stratum = stratumOf(named.row, dataset.stratify_field);
    const members = strata.get(stratum);
    if (members === undefined) strata.set(stratum, [named]);
    else members.push(named);
  }
  const kept = new Set([...strata.values()].flatMap((stratum) => takeSeeded(stratum, limit, seed, idOf)));
  return { rows: rows.filter((row) => kept.has(row)), mode: "per-stratum", seed, limit, strata: strata.size };
}

function idOf({ id }: NamedRow): string {
  return id;
}

/** Python's `str(row.get(field, ""))`. */
function stratumOf(row: Row, field: string): string {
  return textOf(row, field) ?? (hasField(row, field) ? pythonStr(fieldValue(row, field)) : "");
}
