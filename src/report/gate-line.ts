import { numberText, percentText } from "../results/gate-text.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";

/**
 * The gate in one line, `passes (fail-on: error); tolerated: 1 task failed`; undefined where nothing was asked. Reasons that the
 * verdict has already are not repeated. May hold foreign text.
 */
export function gateLine(summary: RunSummary): string | undefined {
  const { gate } = summary;
  if (gate === null) return undefined;
  const asked = [
    ...(gate.fail_on === "failure" ? [] : [`fail-on: ${gate.fail_on}`]),
    ...(gate.min_pass_rate === null ? [] : [`min-pass-rate: ${percentText(gate.min_pass_rate)}`]),
    ...(gate.min_task_score === null ? [] : [`min-task-score: ${numberText(gate.min_task_score)}`]),
    ...(gate.allow_empty ? ["allow-empty"] : []),
  ];
  const why = gate.reasons.filter((reason) => !summary.verdict_reasons.includes(reason));
  return [
    `${gate.passes ? "passes" : "fails"}${asked.length === 0 ? "" : ` (${asked.join(", ")})`}`,
    ...why,
    ...(gate.tolerated.length === 0 ? [] : [`tolerated: ${gate.tolerated.join("; ")}`]),
  ].join("; ");
}

/** Whether the line says more than the verdict does. */
export function gateDiffers(summary: RunSummary): boolean {
  const { gate, verdict } = summary;
  return gate !== null && (gate.passes !== (verdict === "passed") || gate.tolerated.length > 0);
}
