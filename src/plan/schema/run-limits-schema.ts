import { z } from "zod";
import { laxBool, laxFloat, laxInt } from "../../schema/lax.ts";

// formats.md 1.5. `stop_early` (0.8.4) and its threshold (0.9.3) are absent unless set.

const atLeast = (minimum: number) => laxInt(z.int().min(minimum)).nullable().default(null);

export const runLimitsSchema = z.strictObject({
  max_turns: atLeast(1),
  expected_turns: atLeast(1),
  task_timeout: atLeast(30),
  turn_timeout: atLeast(10),
  max_input_tokens: atLeast(1),
  max_output_tokens: atLeast(1),
  max_total_tokens: atLeast(1),
  max_usd: laxFloat(z.number().positive()).nullable().default(null),
  count_cached_input: laxBool().default(false),
  count_cache_creation: laxBool().default(false),
  stop_early: laxBool().nullable().optional(),
  stop_early_gate_threshold: laxFloat(z.number().min(0).max(1)).optional(),
});

export type RunLimits = z.infer<typeof runLimitsSchema>;
