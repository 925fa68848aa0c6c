import type { Issue } from "../../errors.ts";
import type { Env } from "../expand-path.ts";
import { quote } from "../found-text.ts";
import { issueAt } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import type { Sampling } from "../plan-options.ts";
import type { TaskDefinition } from "../schema/task-schema.ts";
import { type DatasetLimits, datasetLimits } from "./dataset-limits.ts";
import { datasetWarnings } from "./dataset-warnings.ts";
import { FillFaults, faultText } from "./fill-faults.ts";
import { taskFiller } from "./fill-task.ts";
import { type Fault, fillText } from "./placeholders.ts";
import { readRows } from "./read-rows.ts";
import type { NamedRow } from "./row.ts";
import { fieldsHint, nameRows } from "./row-ids.ts";
import { RowIssues } from "./row-issues.ts";
import { selectRows } from "./select-rows.ts";
import { TextBudget, TooMuchTextError } from "./text-budget.ts";

export interface ExpandedRow {
  readonly rowId: string;
  /** The row's task: `<task_id>/<row_id>`, with `suite_id` and `row_id`, without `dataset`, placeholders filled. */
  readonly definition: TaskDefinition;
  /** Fills `${row.<field>}` in another text (a variant's prompt, a mutation's content) by the same rules. */
  readonly fill: (
    text: string,
  ) => { readonly kind: "text"; readonly text: string } | { readonly kind: "problem"; readonly message: string };
}

/** What was drawn: recorded, so that a resume uses the same rows and nobody takes a sample for the whole. */
export interface DatasetFacts {
  readonly suiteId: string;
  readonly rowsTotal: number;
  readonly rowsSelected: number;
  readonly mode: "all" | "sample" | "per-stratum";
  /** Null where nothing is drawn. */
  readonly seed: string | null;
  /** Rows at most, of the whole or of each stratum. */
  readonly limit: number | null;
  /** Number of strata; null unless the mode is `per-stratum`. */
  readonly strata: number | null;
}

export type Expanded =
  | { readonly kind: "rows"; readonly rows: readonly ExpandedRow[]; readonly facts: DatasetFacts; readonly warnings: readonly Issue[] }
  | { readonly kind: "problem"; readonly issues: readonly Issue[] };

/**
 * A task with a dataset as the tasks of its rows, in the order of the dataset (formats.md 1.7). What is wrong with the
 * data is in the result, never thrown: a row that cannot be filled is a problem of this file and not the end of the run.
 */
export async function expandDataset(
  loaded: LoadedTask,
  sampling: Sampling,
  env: Env,
  limits: DatasetLimits = datasetLimits,
): Promise<Expanded> {
  const { dataset, task_id: suiteId } = loaded.definition;
  if (dataset === null) return { kind: "problem", issues: [] };
  const issues = new RowIssues(limits.problems);
  const { rows: all, warnings } = await readRows(loaded, dataset, env, issues, limits);
  const named = nameRows(all, dataset.id_field, issues);
  const selection = selectRows(named, dataset, sampling, sampling.recorded?.get(suiteId));
  const rows = fillRows(loaded, selection.rows, issues, limits);
  if (!issues.isEmpty) return { kind: "problem", issues: issues.list(loaded.file.name) };
  const { mode, seed, limit, strata } = selection;
  const facts: DatasetFacts = { suiteId, rowsTotal: all.length, rowsSelected: rows.length, mode, seed, limit, strata };
  return { kind: "rows", rows, facts, warnings: [...warnings, ...datasetWarnings(loaded, dataset, mode, named)] };
}

function fillRows(loaded: LoadedTask, rows: readonly NamedRow[], issues: RowIssues, limits: DatasetLimits): ExpandedRow[] {
  const fillTask = taskFiller(loaded);
  const faults = new FillFaults();
  const budget = new TextBudget(limits);
  const problemOf = firstProblems();
  const expanded: ExpandedRow[] = [];
  for (const row of rows) {
    const definition = overBudget(() => fillTask(row, { budget, report: (path, fault) => faults.note(path, fault, row) }));
    if (definition instanceof TooMuchTextError) {
      const message = `${definition.message}, at row ${quote(row.id)}`;
      issues.add(() => issueAt(loaded.parsed, { severity: "error", code: "too-much-text", path: ["dataset"], message }));
      break;
    }
    expanded.push({ rowId: row.id, definition, fill: (text) => fillOther(text, row, problemOf, limits) });
  }
  faults.report(loaded, rows.length, issues);
  return expanded;
}

function overBudget<Filled>(fill: () => Filled): Filled | TooMuchTextError {
  try {
    return fill();
  } catch (error) {
    if (error instanceof TooMuchTextError) return error;
    throw error;
  }
}

type ProblemOf = (fault: Fault, row: NamedRow) => string;

function fillOther(text: string, row: NamedRow, problemOf: ProblemOf, limits: DatasetLimits): ReturnType<ExpandedRow["fill"]> {
  let problem: string | undefined;
  const filled = overBudget(() =>
    fillText(text, row.row, new TextBudget(limits), (fault) => {
      problem ??= problemOf(fault, row);
    }),
  );
  if (filled instanceof TooMuchTextError) return { kind: "problem", message: `${filled.message}, at row ${quote(row.id)}` };
  return problem === undefined ? { kind: "text", text: filled } : { kind: "problem", message: problem };
}

/** The message for all rows with a fault is that of the first of them: said once, it is enough. */
function firstProblems(): ProblemOf {
  const told = new Map<string, string>();
  return (fault, row) => {
    const key = `${fault.kind} ${fault.field}`;
    const message = told.get(key) ?? describeFault(fault, row);
    told.set(key, message);
    return message;
  };
}

function describeFault(fault: Fault, row: NamedRow): string {
  const text = faultText(fault, row);
  return fault.kind === "missing" ? `${text}; ${fieldsHint(row.row, fault.field)}` : text;
}
