import { z } from "zod";
import { laxInt } from "../../schema/lax.ts";
import { criterionBase } from "../criterion.ts";

const stopEarlySchema = z.strictObject({
  on_pass: z.enum(["stop", "continue"]).default("continue"),
  decide_within: laxInt(z.int().min(1)).nullable().default(null),
});

/** Base of the types that tool calls decide, with both early-stop syntaxes (formats.md 2.3). */
export const liveCriterionBase = criterionBase.extend({
  stop_early: stopEarlySchema.nullable().optional(),
  stop_when: z.enum(["pass", "fail", "decided", "auto"]).nullable().optional(),
});

/** Of a criterion on tool calls where there was no turn at all. */
export const noTurnError = "No turn data: the agent did not run";
