import { z } from "zod";
import { isAsIs, unchangedIf } from "./as-is.ts";
import { flagOr, numberOr, textOr, textOrNull } from "./tolerant.ts";

const score = z.number().min(0).max(1).nullable();
const writtenSchema = z.looseObject({
  result_kind: textOrNull,
  criterion_type: z.string(),
  description: textOr(""),
  score: unchangedIf(score, (value) => typeof value === "number" && value >= 0 && value <= 1),
  details: textOrNull,
  error: textOrNull,
  evaluation_status: textOr("evaluated"),
  pass_threshold: numberOr(0.9),
  gating: flagOr(true),
  /** Judges. */
  findings: z.unknown().optional(),
  token_usage: z.unknown().optional(),
  transcript_path: textOrNull.optional(),
  /** Classifications. */
  observed_label: textOrNull.optional(),
  expected_label: textOrNull.optional(),
});

/**
 * What a criterion found (formats.md 5.3). Keys of judges and classifications (`findings`, `observed_label`, …) are kept.
 * A score outside 0 … 1 makes the file unreadable; an absent number (Python's NaN) counts as 0 with an error, never as a pass.
 */
export const criterionResultSchema = unchangedIf(
  writtenSchema.transform(({ result_kind, score, ...rest }) => {
    const { criterion_type, description, details, error, ...others } = rest;
    return {
      result_kind: result_kind ?? kindOf(criterion_type),
      criterion_type,
      description,
      score: score ?? 0,
      details,
      error: score === null ? (error ?? "the score was not a number") : error,
      ...others,
    };
  }),
  (value) => isAsIs(writtenSchema, value) && value.result_kind !== null,
);

export type CriterionResult = z.infer<typeof criterionResultSchema>;

function kindOf(criterionType: string): string {
  if (criterionType === "llm_judge" || criterionType === "agent_judge") return "judge";
  return criterionType === "classification_match" || criterionType === "skill_triggered" ? "classification" : "basic";
}

/** Whether this result keeps the task from succeeding: it counts, was evaluated, and lies below its threshold. */
export function isMiss(result: CriterionResult): boolean {
  return result.gating && result.evaluation_status !== "not_evaluated" && result.score < result.pass_threshold;
}
