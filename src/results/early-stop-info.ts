import { z } from "zod";

/** Why an agent was stopped once its criteria were decided (formats.md 5.6), keys in file order. */
export const earlyStopInfoSchema = z.object({
  reason: z.enum(["criterion_passed", "criterion_failed", "decision_budget_exceeded"]),
  deciding_criterion_type: z.string(),
  deciding_criterion_description: z.string(),
  /** Their types. */
  armed_criteria: z.array(z.string()),
  sdk_turn_index: z.int(),
  tool_call_index: z.int(),
  elapsed_seconds: z.number(),
  turns_remaining_at_stop: z.int().nullable(),
  gate_threshold: z.number(),
});

export type EarlyStopInfo = z.infer<typeof earlyStopInfoSchema>;
