import { z } from "zod";
import { laxBool, laxInt } from "../schema/lax.ts";
import { criterionBase } from "./criterion.ts";

export const fileMatchesRegexSchema = criterionBase.extend({
  type: z.literal("file_matches_regex"),
  path: z.string(),
  pattern: z.string(),
  must_match: laxBool().default(true),
  flags: laxInt().default(0),
});
