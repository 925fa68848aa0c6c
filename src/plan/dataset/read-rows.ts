import { isAbsolute, posix } from "node:path";
import type { Issue } from "../../errors.ts";
import { type Env, expandPath } from "../expand-path.ts";
import { quote } from "../found-text.ts";
import { issueAt } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import type { Dataset } from "../schema/task-schema.ts";
import { inlineRows } from "./inline-rows.ts";
import { type RowLimits, type RowsFile, readJsonl } from "./jsonl-rows.ts";
import type { Row } from "./row.ts";
import type { RowIssues } from "./row-issues.ts";

/** All rows of a dataset in their order: inline, or of its files one after the other (formats.md 1.7). */
export async function readRows(
  loaded: LoadedTask,
  dataset: Dataset,
  env: Env,
  issues: RowIssues,
  limits: RowLimits,
): Promise<readonly Row[]> {
  if (dataset.rows !== null) return inlineRows(loaded.parsed, dataset.rows);
  const rows: Row[] = [];
  for (const [index, text] of (dataset.paths ?? []).entries()) {
    const refuse = (code: string, message: string, hint?: string): void =>
      issues.add((): Issue => issueAt(loaded.parsed, { severity: "error", code, path: ["dataset", "paths", index], message, hint }));
    const expanded = expandPath(text, loaded.folder, env);
    if (expanded.kind === "undefined") {
      const message = `the variable '${expanded.variable}' in ${quote(text)} is not set`;
      refuse("undefined-variable", message, `set ${expanded.variable} in the environment`);
      continue;
    }
    const problem = await readJsonl(namedFile(loaded, text, expanded.path), rows, issues, limits);
    if (problem !== undefined) refuse("rows-file", `the file ${quote(text)} ${problem}`);
  }
  if (rows.length === 0 && issues.isEmpty) {
    issues.add(() =>
      issueAt(loaded.parsed, {
        severity: "error",
        code: "empty-dataset",
        path: ["dataset", "paths"],
        message: "the dataset is empty: its files have no rows",
      }),
    );
  }
  return rows;
}

/** A relative path is shown as the task file's own name is; others as they are. */
function namedFile(loaded: LoadedTask, text: string, path: string): RowsFile {
  const asWritten = !isAbsolute(text) && !/^~|\$/.test(text);
  return { path, name: asWritten ? posix.join(posix.dirname(loaded.file.name), text) : path };
}
