import type { FieldDocs, FoundText } from "./field-text.ts";

/** Fields of `plan --json` that say nothing about themselves in `src/commands/plan-json.ts`. */
export const planDocs: FieldDocs = {
  version: "Version of this form.",
  experiment: "The experiment whose variants are planned.",
  "experiment.experiment_id": "Its name; `default` where none was asked for.",
  "experiment.description": "What it says about itself.",
  "experiment.variants": "Its variants that are planned, in the order of the file.",
  "experiment.variants[].variant_id": "Name of the variant.",
  "experiment.variants[].description": "What it says about itself.",
  "selection.datasets": "What was drawn of each dataset.",
  "selection.cap.max_tasks": "The bound.",
  "selection.cap.kept": "Tasks that are left.",
  "selection.cap.seed": "What drew them.",
  skipped: "Files without a planned task.",
  "skipped[].path": "The file.",
  "skipped[].reason": "Why.",
  "skipped[].kind": "`skip`: the file asks for it. `invalid`: it cannot run.",
  issues: "Errors and warnings.",
  "issues[].severity": "A task with an error does not run.",
  "issues[].message": "What was found, and what was expected.",
  "issues[].file": "The file in which it is.",
  "issues[].line": "Line, from 1.",
  "issues[].column": "Column, from 1.",
  "issues[].field": "Dotted path of the field.",
  "issues[].hint": "What to do.",
  "tasks[].task_id": "Name of the task; of a row, `<suite_id>/<row_id>`.",
  "tasks[].row_id": "Id of the row of the dataset.",
  "tasks[].variant_id": "Variant in which it runs.",
  "tasks[].replicate_index": "Number of the replicate, from 0.",
  "tasks[].driver": "Where it runs.",
  "tasks[].dockerfile": "Dockerfile that is built; null: none.",
  "tasks[].agent": "Type of the agent.",
  "tasks[].model": "Model of the agent.",
  "tasks[].tags": "Its tags.",
  "tasks[].criteria": "What is looked at, in the order of the file.",
  "tasks[].criteria[].type": "Kind of criterion.",
  "tasks[].criteria[].description": "What it asks for.",
  "tasks[].criteria[].weight": "Its weight.",
  "tasks[].run_limits": "Its limits.",
  "tasks[].lineage{}.value": "The value.",
  "tasks[].lineage{}.source": "The layer that set it.",
  "tasks[].lineage{}.source_detail": "What in that layer: the variant's id, the flag.",
};

/** The text of a field of `plan --json`. */
export function planText(path: string): FoundText | undefined {
  const text = planDocs[path];
  return text === undefined ? undefined : { keys: [`plan: ${path}`], text };
}
