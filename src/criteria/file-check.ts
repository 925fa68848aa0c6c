import { z } from "zod";
import { laxBool, laxInt } from "../schema/lax.ts";
import { criterionBase } from "./criterion.ts";

const regexPatternSchema = z.strictObject({
  pattern: z.string(),
  must_match: laxBool().default(true),
  flags: laxInt().default(0),
});

export const fileCheckSchema = criterionBase.extend({
  type: z.literal("file_check"),
  path: z.string(),
  includes: z.array(z.string()).default([]),
  excludes: z.array(z.string()).default([]),
  patterns: z.array(regexPatternSchema).default([]),
});
