import type { Issue } from "../../errors.ts";
import { quote } from "../found-text.ts";
import { issueAt } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import type { Dataset } from "../schema/task-schema.ts";
import { hasField, type NamedRow } from "./row.ts";
import { fieldsHint } from "./row-ids.ts";

/** What a dataset's author surely did not mean, though it can run. */
export function datasetWarnings(loaded: LoadedTask, dataset: Dataset, mode: string, rows: readonly NamedRow[]): readonly Issue[] {
  const [first] = rows;
  const field = dataset.stratify_field;
  if (mode !== "per-stratum" || first === undefined || rows.some(({ row }) => hasField(row, field))) return [];
  const message = `no row has the field ${quote(field)}, so all rows are one stratum`;
  const path = ["dataset", "stratify_field"];
  return [issueAt(loaded.parsed, { severity: "warning", code: "no-stratum", path, message, hint: fieldsHint(first.row, field) })];
}
