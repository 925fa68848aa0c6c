import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "node:util";
import type { Issue } from "../../../../src/errors.ts";
import { type DatasetLimits, datasetLimits } from "../../../../src/plan/dataset/dataset-limits.ts";
import { type Expanded, type ExpandedRow, expandDataset } from "../../../../src/plan/dataset/expand-dataset.ts";
import type { Env } from "../../../../src/plan/expand-path.ts";
import { loadTask } from "../../../../src/plan/load.ts";
import type { Sampling } from "../../../../src/plan/plan-options.ts";
import { taskFolder } from "../task-folder.ts";

export interface ExpandOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly sampling?: Partial<Sampling>;
  readonly env?: Env;
  readonly limits?: Partial<DatasetLimits>;
  /** Done in the folder before the task is loaded. */
  readonly before?: (folder: string) => Promise<void>;
}

/** A task with these lines as its dataset block; `prompt` and `criterion` hold the placeholders. */
export function datasetTask(dataset: string, { prompt = "p", description = "d" } = {}): string {
  const text = (value: string): string => JSON.stringify(value);
  return `task_id: t
description: d
agent: {type: claude-code}
initial_prompt: ${text(prompt)}
dataset: ${dataset}
success_criteria:
  - {type: file_exists, description: ${text(description)}, path: a.txt}
`;
}

/** The file at `path`, expanded. */
export async function expandFile(path: string, options: ExpandOptions = {}): Promise<Expanded> {
  const loaded = await loadTask({ path, name: "tasks/t.yaml", explicit: true }, options.env ?? {});
  assert.ok(loaded.kind === "loaded", inspect("issues" in loaded ? loaded.issues : loaded));
  return expandDataset(loaded, { runSeed: "run", ...options.sampling }, options.env ?? {}, { ...datasetLimits, ...options.limits });
}

/** The text of `tasks/t.yaml`, expanded; `files` are relative to the folder above `tasks`. */
export async function expand(yaml: string, options: ExpandOptions = {}): Promise<Expanded> {
  await using folder = await taskFolder({ ...options.files, "tasks/t.yaml": yaml });
  await options.before?.(folder.path);
  return await expandFile(join(folder.path, "tasks/t.yaml"), options);
}

/** JSONL as the dataset of a task. */
export async function expandJsonl(
  jsonl: string | Uint8Array,
  options: ExpandOptions & { readonly prompt?: string } = {},
): Promise<Expanded> {
  const { prompt = "p", files, ...rest } = options;
  return await expand(datasetTask("{paths: [r.jsonl]}", { prompt }), { ...rest, files: { ...files, "tasks/r.jsonl": jsonl } });
}

export function rowsOf(expanded: Expanded): readonly ExpandedRow[] {
  assert.ok(expanded.kind === "rows", inspect("issues" in expanded ? expanded.issues : expanded));
  return expanded.rows;
}

export function idsOf(expanded: Expanded): string[] {
  return rowsOf(expanded).map(({ rowId }) => rowId);
}

export function promptsOf(expanded: Expanded): (string | null)[] {
  return rowsOf(expanded).map(({ definition }) => definition.initial_prompt);
}

/** `file:line:column: message [hint]`. */
export function shown({ file, line, column, message, hint }: Issue): string {
  const place = line === undefined ? String(file) : `${file}:${line}:${column}`;
  return `${place}: ${message}${hint === undefined ? "" : ` [${hint}]`}`;
}

export function problemsOf(expanded: Expanded): string[] {
  assert.equal(expanded.kind, "problem");
  return "issues" in expanded ? expanded.issues.map(shown) : [];
}

export function jsonl(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
