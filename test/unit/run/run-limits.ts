import { type RunLimits, runLimitsSchema } from "../../../src/plan/schema/run-limits-schema.ts";

/** Limits of a task that sets only these. */
export function runLimits(set: Partial<RunLimits>): RunLimits {
  return { ...runLimitsSchema.parse({}), ...set };
}
