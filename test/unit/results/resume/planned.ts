import { type PartitionOptions, type PlannedPlace, partitionRows, type RowDecision } from "../../../../src/results/resume/partition.ts";
import { serializeTaskResult } from "../../../../src/results/serialize-task-result.ts";
import { type AttemptFacts, attemptFactsSchema, type EvaluationResult } from "../../../../src/results/task-result.ts";
import { put, sampleResult } from "../fixtures.ts";

/** A row of variant `default`; its first replicate unless told otherwise. */
export function planned(taskId: string, replicateIndex = 0, variantId = "default"): PlannedPlace {
  return { variantId, taskId, replicateIndex, resultDir: `${variantId}/${taskId}/${String(replicateIndex).padStart(2, "0")}` };
}

export function attemptFacts(overrides: Partial<AttemptFacts> = {}): AttemptFacts {
  return { ...attemptFactsSchema.parse({ version: "1" }), ...overrides };
}

/** Writes a result into the directory of its row. */
export function putTask(resultDir: string, result: EvaluationResult): void {
  put(resultDir, "task.json", serializeTaskResult(result));
}

/** Writes a result of a row at a directory, its own one by default. */
export function putResult(root: string, taskId: string, overrides: Partial<EvaluationResult> = {}, dir = `default/${taskId}/00`): void {
  put(root, `${dir}/task.json`, serializeTaskResult(sampleResult({ task_id: taskId, ...overrides })));
}

export interface Divided {
  /** `keep`, the reason to run, or that with `*` where an old result stands in for it. */
  readonly decisions: string[];
  /** `<path>: <reason>`, with ` -> <moved to>`. */
  readonly setAside: string[];
  readonly warnings: readonly string[];
  /** Task ids of kept results, as they came. */
  readonly kept: string[];
}

/** Divides rows in words. */
export async function divide(runDir: string, rows: readonly PlannedPlace[], options: Partial<PartitionOptions> = {}): Promise<Divided> {
  const kept: string[] = [];
  const { decisions, setAside, warnings } = await partitionRows(rows, {
    runDir,
    retry: "missing",
    isStale: () => false,
    onKept: (index, result) => void kept.push(`${index}:${result.task_id}`),
    ...options,
  });
  return {
    decisions: decisions.map(inWords),
    setAside: setAside.map(({ path, reason, moved_to: now }) => `${path}: ${reason}${now === null ? "" : ` -> ${now}`}`),
    warnings,
    kept,
  };
}

function inWords(decision: RowDecision): string {
  return decision.kind === "keep" ? "keep" : `${decision.reason}${decision.fallback ? "*" : ""}`;
}
