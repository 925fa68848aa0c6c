import type { Issue } from "../../errors.ts";
import { quote } from "../found-text.ts";
import { issueAt, type Problem } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import { isMapping } from "../schema/field-types.ts";
import type { Dataset } from "../schema/task-schema.ts";
import { isPlaceholder } from "./placeholders.ts";
import { hasField, type NamedRow } from "./row.ts";
import { fieldsHint } from "./row-ids.ts";

const maxWarnings = 20;
const filledFields = new Set(["initial_prompt", "success_criteria"]);
/** What somebody who wrote it may have taken for a placeholder. */
const alike = /\$\{\s*row\b[^{}]{0,200}\}/gi;

/** What a dataset's author surely did not mean, though it can run. */
export function datasetWarnings(loaded: LoadedTask, dataset: Dataset, mode: string, rows: readonly NamedRow[]): readonly Issue[] {
  const problems = mode === "per-stratum" ? strataProblems(dataset.stratify_field, rows) : [];
  for (const [name, value] of Object.entries(loaded.definition)) {
    if (name !== "dataset") problems.push(...placeholderProblems(name, value));
  }
  return problems.slice(0, maxWarnings).map((problem) => issueAt(loaded.parsed, problem));
}

function strataProblems(field: string, rows: readonly NamedRow[]): Problem[] {
  const [first] = rows;
  if (first === undefined || rows.some(({ row }) => hasField(row, field))) return [];
  const message = `no row has the field ${quote(field)}, so all rows are one stratum`;
  const path = ["dataset", "stratify_field"];
  return [{ severity: "warning", code: "no-stratum", path, message, hint: fieldsHint(first.row, field) }];
}

/** Placeholders that stay as they are: misspelt ones, and those in fields that are not filled. */
function placeholderProblems(name: string, value: unknown): Problem[] {
  const problems: Problem[] = [];
  for (const { text, path } of textsIn(value, [name])) {
    const found = [...text.matchAll(alike)].map(([word]) => word);
    const unfilled = found.find((word) => !isPlaceholder(word) || !filledFields.has(name));
    if (unfilled === undefined) continue;
    const hint = isPlaceholder(unfilled)
      ? `placeholders are filled in ${[...filledFields].join(" and ")} only`
      : "a placeholder is $" + "{row.<field>}, the field's name of letters, digits and '_'";
    problems.push({ severity: "warning", code: "unfilled-placeholder", path, message: `${quote(unfilled)} stays as it is`, hint });
  }
  return problems;
}

function* textsIn(
  value: unknown,
  path: readonly PropertyKey[],
): Generator<{ readonly text: string; readonly path: readonly PropertyKey[] }> {
  if (typeof value === "string") yield { text: value, path };
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  else if (isMapping(value)) for (const [key, inner] of Object.entries(value)) yield* textsIn(inner, [...path, key]);
}
