import { isAbsolute, posix, relative } from "node:path";
import type { Issue } from "../../errors.ts";
import { type Env, posixPath } from "../expand-path.ts";
import { quote } from "../found-text.ts";
import { issueAt } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import { findFile, missingProblem } from "../paths/find-file.ts";
import { pathFields } from "../paths/path-fields.ts";
import type { Dataset } from "../schema/task-schema.ts";
import type { DatasetLimits } from "./dataset-limits.ts";
import { inlineRows } from "./inline-rows.ts";
import { type RowsFile, readJsonl } from "./jsonl-rows.ts";
import type { Row } from "./row.ts";
import type { RowIssues } from "./row-issues.ts";

export interface ReadRows {
  readonly rows: readonly Row[];
  readonly warnings: readonly Issue[];
}

/** All rows of a dataset in their order: inline, or of its files one after the other (formats.md 1.7). */
export async function readRows(
  loaded: LoadedTask,
  dataset: Dataset,
  env: Env,
  issues: RowIssues,
  limits: DatasetLimits,
): Promise<ReadRows> {
  if (dataset.rows !== null) return { rows: inlineRows(loaded.parsed, dataset.rows), warnings: [] };
  const rows: Row[] = [];
  const warnings: Issue[] = [];
  for (const [index, text] of (dataset.paths ?? []).entries()) {
    if (issues.isFull) break;
    const path = ["dataset", "paths", index];
    const file = await findRowsFile(loaded, text, path, env);
    for (const issue of file.issues) {
      if (issue.severity === "error") issues.add(() => issue);
      else warnings.push(issue);
    }
    if (file.found === undefined) continue;
    const problem = await readJsonl(file.found, rows, issues, limits);
    if (problem === undefined) continue;
    const message = `the dataset file ${quote(text)} ${problem}`;
    issues.add(() => issueAt(loaded.parsed, { severity: "error", code: "dataset-file", path, message }));
  }
  if (rows.length === 0 && issues.isEmpty) issues.add(() => emptyDataset(loaded));
  return { rows, warnings };
}

async function findRowsFile(
  loaded: LoadedTask,
  text: string,
  path: readonly PropertyKey[],
  env: Env,
): Promise<{ readonly found?: RowsFile; readonly issues: readonly Issue[] }> {
  const found = await findFile(text, { folder: loaded.folder, env, path });
  if (found.kind === "undefined") return { issues: [issueAt(loaded.parsed, found.problem)] };
  const field = pathFields.find((candidate) => candidate.field === "dataset.paths[]");
  const missing = field === undefined ? undefined : missingProblem(field, text, found.stats, path);
  if (missing !== undefined) return { issues: [issueAt(loaded.parsed, missing)] };
  return {
    found: { path: found.path, name: nameOf(loaded, text, found.path), bytes: found.stats?.size ?? 0 },
    issues: found.problem === undefined ? [] : [issueAt(loaded.parsed, found.problem)],
  };
}

/** A relative path is shown as the task file's own name is; others as they are. */
function nameOf(loaded: LoadedTask, text: string, path: string): string {
  if (isAbsolute(text) || /^~|\$/.test(text)) return posixPath(path);
  return posix.join(posix.dirname(loaded.file.name), posixPath(relative(loaded.folder, path)));
}

function emptyDataset(loaded: LoadedTask): Issue {
  const message = "the dataset is empty: no file of it has a row";
  return issueAt(loaded.parsed, { severity: "error", code: "empty-dataset", path: ["dataset", "paths"], message });
}
