import { z } from "zod";
import { laxBool } from "../schema/lax.ts";
import { criterionBase } from "./criterion.ts";

export const classificationMatchSchema = criterionBase.extend({
  type: z.literal("classification_match"),
  path: z.string(),
  expected_label: z.string(),
  allowed_labels: z.array(z.string()).min(1),
  case_sensitive: laxBool().default(false),
});
