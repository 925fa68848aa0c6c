import { z } from "zod";
import { laxFloat } from "../../schema/lax.ts";
import { criterionBase } from "../criterion.ts";

/** `reference_file` came with directory references in 0.11; before, the reference was one text. */
export const referenceComparisonSchema = criterionBase.extend({
  type: z.literal("reference_comparison"),
  agent_file: z.string(),
  reference_file: z.string().optional(),
  comparison_method: z.enum(["ast", "token", "complexity"]).default("ast"),
  similarity_threshold: laxFloat(z.number().min(0).max(1)).default(0.8),
});

export const uipathEvalSchema = criterionBase.extend({
  type: z.literal("uipath_eval"),
  agent_name: z.string(),
  eval_set: z.string(),
  thresholds: z.record(z.string(), laxFloat()),
});
