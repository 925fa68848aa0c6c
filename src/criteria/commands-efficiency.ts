import { z } from "zod";
import { formatFixed } from "../python/format.ts";
import { laxInt } from "../schema/lax.ts";
import { type CriterionChecker, criterionBase } from "./criterion.ts";

export const commandsEfficiencySchema = criterionBase.extend({
  type: z.literal("commands_efficiency"),
  expected_commands: laxInt(z.int().min(1)),
});

export const commandsEfficiency: CriterionChecker<typeof commandsEfficiencySchema> = {
  type: "commands_efficiency",
  schema: commandsEfficiencySchema,
  check: async ({ expected_commands: expected }, { toolCalls = [] }) => {
    const actual = toolCalls.length;
    if (actual === 0) return { score: 0, details: "No commands recorded (agent may not have run)", error: null };
    const score = expected / Math.max(actual, expected);
    const over = actual - expected;
    const budget = over > 0 ? `over budget by ${over} commands` : "at or under budget";
    return { score, details: `Commands: ${actual}, expected: ${expected}, efficiency: ${formatFixed(score, 3)} (${budget})`, error: null };
  },
};
