import { readFileSync, statSync } from "node:fs";
import { issueAt, problemsOfZod } from "../plan/issues.ts";
import { renameAliases } from "../plan/schema/agent-schema.ts";
import { isMapping } from "../plan/schema/field-types.ts";
import { taskSchema } from "../plan/schema/task-schema.ts";
import { ruleProblems } from "../plan/task-rules.ts";
import { type InvalidYaml, maxYamlBytes, type ParsedYaml, parseYaml } from "../plan/yaml/yaml.ts";

/**
 * Line (from 1) of a task file on which a criterion stands: of the list where that has no such entry (it came from
 * elsewhere, or the file was changed), else the first one. Undefined when the file can't be read as YAML.
 * @param file absolute
 * @param index position in `success_criteria`, from 0; undefined where no criterion is meant
 */
export function criterionLine(file: string, index: number | undefined): number | undefined {
  const parsed = readYaml(file);
  if (parsed === undefined) return undefined;
  if (parsed.kind === "invalid" || index === undefined) return 1;
  const path = ["success_criteria", index];
  return issueAt(parsed, { severity: "error", code: "place", path, message: "", atKey: true }).line ?? 1;
}

/** Line (from 1) of the first thing that is wrong in a task file, else its first; undefined when it can't be read. */
export function problemLine(file: string): number | undefined {
  const parsed = readYaml(file);
  if (parsed === undefined) return undefined;
  if (parsed.kind === "invalid") return parsed.issues[0]?.line ?? 1;
  if (!isMapping(parsed.value)) return 1;
  const fields = renameAliases(parsed.value);
  const checked = taskSchema.safeParse(fields);
  const problems = [...ruleProblems(fields), ...(checked.success ? [] : problemsOfZod(taskSchema, fields, checked.error))];
  const lines = problems.filter(({ severity }) => severity === "error").map((problem) => issueAt(parsed, problem).line ?? 1);
  return Math.min(...lines, lines.length === 0 ? 1 : Number.POSITIVE_INFINITY);
}

function readYaml(file: string): ParsedYaml | InvalidYaml | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= maxYamlBytes ? parseYaml(readFileSync(file), file) : undefined;
  } catch {
    return undefined;
  }
}
