import type { CriterionContext } from "../../../src/criteria/criterion.ts";
import { type Criterion, criterionSchema } from "../../../src/criteria/criterion-schema.ts";
import { type GradedCriterion, gradeTask } from "../../../src/criteria/grade.ts";
import { type MemorySandboxOptions, memorySandbox } from "../../fakes/memory-sandbox.ts";

/** A criterion as a task file would write it. */
export function criterion(fields: Readonly<Record<string, unknown>>): Criterion {
  return criterionSchema.parse({ description: "d", ...fields });
}

export function contextOf(options: MemorySandboxOptions, more: Partial<CriterionContext> = {}): CriterionContext {
  return { sandbox: memorySandbox(options), commandEnv: {}, signal: new AbortController().signal, ...more };
}

/** Score, details and error of one criterion over a sandbox in memory. */
export async function check(
  fields: Readonly<Record<string, unknown>>,
  options: MemorySandboxOptions,
): Promise<Pick<GradedCriterion, "score" | "details" | "error">> {
  const [result] = await gradeTask([criterion(fields)], contextOf(options));
  if (result === undefined) throw new Error("no result");
  return { score: result.score, details: result.details, error: result.error };
}
