import { isMiss } from "../criterion-result.ts";
import { cut } from "../cut-text.ts";
import { fileNames } from "../layout.ts";
import type { RunRow } from "../run-row.ts";
import type { EvaluationResult } from "../task-result.ts";
import type { FailedSample } from "./suite-rollup-schema.ts";

const samplesKept = 20;
const reasonsKept = 3;
const reasonChars = 240;
const messageChars = 1000;

/** The first rows in plan order that did not succeed, whatever the order in which they end. */
export class FailedSamples {
  readonly #kept: { readonly order: number; readonly sample: FailedSample }[] = [];

  add(order: number, sample: () => FailedSample): void {
    const last = this.#kept.at(-1);
    if (this.#kept.length >= samplesKept && last !== undefined && last.order <= order) return;
    const place = this.#kept.findIndex((entry) => entry.order > order);
    this.#kept.splice(place === -1 ? this.#kept.length : place, 0, { order, sample: sample() });
    if (this.#kept.length > samplesKept) this.#kept.pop();
  }

  get list(): FailedSample[] {
    return this.#kept.map((entry) => entry.sample);
  }
}

/** A row as `suite.json` shows it; `result` is absent where the row has none. Texts are bounded. */
export function failedSample(row: RunRow, rowId: string, result?: EvaluationResult): FailedSample {
  const missed = (result?.success_criteria_results ?? []).filter(isMiss);
  const message = result?.error_message ?? row.error_message;
  return {
    row_id: rowId,
    task_id: row.task_id,
    final_status: row.status,
    weighted_score: row.weighted_score,
    failure_reasons: missed.slice(0, reasonsKept).map(({ error, details, criterion_type, score }) => {
      return cut(error ?? details ?? `${criterion_type}: score=${score.toFixed(2)}`, reasonChars);
    }),
    error_message: message === null ? null : cut(message, messageChars),
    task_json_relpath: row.result_dir === null ? null : `${row.result_dir}/${fileNames.task}`,
    replicate_index: row.replicate_index ?? 0,
  };
}
