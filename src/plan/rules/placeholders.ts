import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import { isMapping } from "../schema/field-types.ts";
import { type Fields, isSet, ruleWarning } from "./read-fields.ts";

/** Where a dataset's rows fill in `${row.x}` (formats.md 1.7). */
const filled = ["initial_prompt", "success_criteria"];
const unfilled = ["agent", "sandbox", "reference", "pre_run", "post_run", "simulation"];

/** `${row.x}` where nobody fills it in: in a task without a dataset, or in a field that is the same for all rows. */
export function placeholderProblems(fields: Fields): Problem[] {
  if (isSet(fields.suite_id)) return [];
  return isSet(fields.dataset)
    ? literals(fields, unfilled, `only ${filled.join(" and ")} are filled in`, "write what is meant for all rows")
    : literals(fields, filled, "the task has no dataset", "add a dataset, or write what is meant");
}

function literals(fields: Fields, names: readonly string[], why: string, hint: string): Problem[] {
  const problems: Problem[] = [];
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    if (typeof value === "string") {
      const found = /\$\{row\.[A-Za-z_][A-Za-z0-9_]*\}/.exec(value)?.[0];
      if (found !== undefined) problems.push(ruleWarning("unfilled-placeholder", path, `${quote(found)} stays as it is: ${why}`, hint));
    } else if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) visit(entry, [...path, index]);
    } else if (isMapping(value)) {
      for (const [key, entry] of Object.entries(value)) visit(entry, [...path, key]);
    }
  };
  for (const name of names) visit(fields[name], [name]);
  return problems;
}
