import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import { isMapping } from "../schema/field-types.ts";
import { type Fields, isSet, ruleWarning } from "./read-fields.ts";

/** `${row.x}` in a task without a dataset: nobody fills it in (formats.md 1.7). Those of a dataset are looked at with its rows. */
export function placeholderProblems(fields: Fields): Problem[] {
  if (isSet(fields.dataset) || isSet(fields.suite_id)) return [];
  const problems: Problem[] = [];
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    if (typeof value === "string") {
      const found = /\$\{row\.[A-Za-z_][A-Za-z0-9_]*\}/.exec(value)?.[0];
      if (found === undefined) return;
      const message = `${quote(found)} stays as it is: the task has no dataset`;
      problems.push(ruleWarning("unfilled-placeholder", path, message, "add a dataset, or write what is meant"));
    } else if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) visit(entry, [...path, index]);
    } else if (isMapping(value)) {
      for (const [key, entry] of Object.entries(value)) visit(entry, [...path, key]);
    }
  };
  for (const name of ["initial_prompt", "success_criteria"]) visit(fields[name], [name]);
  return problems;
}
