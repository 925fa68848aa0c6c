import type { Problem } from "../issues.ts";
import { childOf } from "../schema/schema-keys.ts";
import { criteriaOf, type Fields, isSet, ruleError, ruleWarning } from "./read-fields.ts";

/**
 * What criteria ask of the reference, the union of the versions (formats.md 1.1, 1.6): 0.8.2 compares with one text, 0.11
 * with a file of a directory, and without a reference 0.8.2 runs the task and finds nothing to compare with.
 */
export function referenceProblems(fields: Fields): Problem[] {
  const problems: Problem[] = [];
  const reference = fields.reference;
  const directory = isSet(childOf(reference, "directory"));
  criteriaOf(fields).forEach((criterion, index) => {
    const path = ["success_criteria", index];
    if (childOf(criterion, "type") === "reference_comparison") {
      const file = isSet(childOf(criterion, "reference_file"));
      if (directory && !file)
        problems.push(ruleError("missing-field", path, "reference_comparison with reference.directory needs reference_file"));
      if (file && isSet(reference) && !directory) {
        const message = "reference_file names a file of reference.directory, and the reference is one text";
        problems.push(ruleError("no-directory", [...path, "reference_file"], message, "remove it, or give reference.directory"));
      }
      if (!isSet(reference)) problems.push(ruleWarning("no-reference", path, "without a reference this criterion always scores 0"));
    }
    problems.push(...variableProblems(criterion, path, directory));
  });
  return problems;
}

/** `$REFERENCE_DIR` means nothing where there is no directory. */
function variableProblems(criterion: unknown, path: readonly PropertyKey[], directory: boolean): Problem[] {
  if (directory) return [];
  const files = childOf(criterion, "files");
  const uses = [
    { text: childOf(criterion, "command"), at: [...path, "command"] },
    ...(Array.isArray(files) ? files.map((text: unknown, index) => ({ text, at: [...path, "files", index] })) : []),
  ];
  return uses
    .filter(({ text }) => typeof text === "string" && /\$\{?REFERENCE_DIR\b/.test(text))
    .map(({ at }) => ruleWarning("no-reference", at, "$REFERENCE_DIR is not set without reference.directory", "give reference.directory"));
}
