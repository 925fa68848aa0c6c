import { z } from "zod";
import { type CriterionChecker, failedCheck, type ToolCall } from "./criterion.ts";
import { liveCriterionBase, noTurnError } from "./tool-calls/live-base.ts";

export const skillTriggeredSchema = liveCriterionBase.extend({
  type: z.literal("skill_triggered"),
  expected_skill: z.string(),
  skill_name: z.string(),
});

export type SkillTriggered = z.output<typeof skillTriggeredSchema>;

/**
 * Whether a call uses the skill (formats.md 2.2): the `Skill` tool with its name, behind whatever name of a pack, or any text parameter
 * that names a file of it. Back slashes count as slashes (a shell of Windows, a path inside of JSON text).
 */
export function usesSkill(call: ToolCall, skill: string): boolean {
  const { skill: asked } = call.parameters;
  if (call.tool_name === "Skill" && typeof asked === "string" && asked.slice(asked.lastIndexOf(":") + 1) === skill) return true;
  const folder = `skills/${skill}/`;
  return Object.values(call.parameters).some(
    (value) => typeof value === "string" && (value.includes(folder) || value.replace(/\\+/g, "/").includes(folder)),
  );
}

export const skillTriggered: CriterionChecker<typeof skillTriggeredSchema> = {
  type: "skill_triggered",
  schema: skillTriggeredSchema,
  check: async ({ expected_skill, skill_name }, { toolCalls }) => {
    if (toolCalls === undefined) return failedCheck(noTurnError);
    const observedLabel = toolCalls.some((call) => usesSkill(call, skill_name)) ? "yes" : "no";
    const expectedLabel = expected_skill === skill_name ? "yes" : "no";
    const details = `observed='${observedLabel}', expected='${expectedLabel}' (skill_name='${skill_name}')`;
    return { score: observedLabel === expectedLabel ? 1 : 0, details, error: null, observedLabel, expectedLabel };
  },
};
