import { z } from "zod";
import { criterionBase } from "./criterion.ts";

export const fileExistsSchema = criterionBase.extend({
  type: z.literal("file_exists"),
  path: z.string(),
});
