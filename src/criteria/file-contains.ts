import { z } from "zod";
import { criterionBase } from "./criterion.ts";

export const fileContainsSchema = criterionBase.extend({
  type: z.literal("file_contains"),
  path: z.string(),
  includes: z.array(z.string()),
  excludes: z.array(z.string()).nullable().default(null),
});
