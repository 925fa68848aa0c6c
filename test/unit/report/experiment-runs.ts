import type { RunRow } from "../../../src/results/run-row.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import { attempt, criterion, summaryOf } from "./overview-builders.ts";

export interface ExperimentSize {
  readonly tasks: number;
  readonly variants: readonly string[];
  readonly replicates: number;
  /** Foreign. */
  readonly description?: string;
}

/** A run of an experiment whose outcomes follow from their numbers: some tasks differ, some are flaky, one breaks. */
export function experimentRun(size: ExperimentSize): RunSummary {
  const { tasks, variants, replicates, description = "Which of them is better" } = size;
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const rows = numbers(replicates).flatMap((replicate) =>
    numbers(tasks).flatMap((task) => variants.map((id, variant) => rowOf(task, id, variant, replicate))),
  );
  return summaryOf(rows, {
    experiment: {
      id: "prompt-styles",
      description,
      file: "experiments/prompt-styles.yaml",
      variants: variants.map((id, index) => ({ id, description, prompt: index === 0 ? "base prompt" : "1 mutation: prefix" })),
    },
  });
}

const names = [
  "add-endpoint",
  "bump-dependency",
  "convert-csv",
  "explain-error",
  "find-leak",
  "migrate-tests",
  "parse-dates",
  "write-readme",
];

function rowOf(task: number, variantId: string, variant: number, replicate: number): RunRow {
  const round = Math.floor(task / names.length);
  const taskId = `${names[task % names.length] ?? ""}${round === 0 ? "" : `-${round + 1}`}`;
  const facts = {
    variant_id: variantId,
    replicate,
    duration_seconds: 20 + ((task * 7 + variant * 3 + replicate) % 40),
    cost: 0.04 + variant / 100,
  };
  const luck = (task * 5 + variant * 11 + replicate * 3) % 8;
  const row = outcome(taskId, facts, task % 8 === 7 && variant === 0, luck === 0 || (task % 4 === 2 && variant === 0));
  return { ...row, variant_id: variantId, total_tokens: 4000 + variant * 500, result_dir: `${variantId}/${taskId}/0${replicate}` };
}

function outcome(taskId: string, facts: Parameters<typeof attempt>[1], broken: boolean, missed: boolean): RunRow {
  if (broken)
    return attempt(taskId, { ...facts, final_status: "ERROR", weighted_score: 0, error_message: "image acme/base:1 cannot be pulled" });
  if (!missed) return attempt(taskId, facts);
  const details = "report.txt has none of: 'Total: 12.35'";
  return attempt(taskId, {
    ...facts,
    final_status: "FAILURE",
    weighted_score: 0.5,
    success_criteria_results: [
      criterion({ criterion_type: "file_contains", description: "The total is rounded half up", score: 0, details }),
    ],
  });
}
