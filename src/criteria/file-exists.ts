import { z } from "zod";
import { type CriterionChecker, criterionBase, failedCheck } from "./criterion.ts";
import { locate, outsideError } from "./sandbox-path.ts";

export const fileExistsSchema = criterionBase.extend({
  type: z.literal("file_exists"),
  path: z.string(),
});

/** Anything at the path counts, a directory too; a pattern may have many matches. */
export const fileExists: CriterionChecker<typeof fileExistsSchema> = {
  type: "file_exists",
  schema: fileExistsSchema,
  check: async ({ path }, context) => {
    const located = await locate(path, context);
    if (located.kind === "outside") return failedCheck(outsideError(path));
    const exists = located.kind !== "missing";
    return { score: exists ? 1 : 0, details: `File '${path}' ${exists ? "exists" : "does not exist"}`, error: null };
  },
};
