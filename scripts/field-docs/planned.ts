import { criterionTypes } from "../../src/criteria/criterion-schema.ts";
import { executedTypes } from "../../src/criteria/registry.ts";
import { knownAgentTypes } from "../../src/plan/schema/agent-schema.ts";
import { executedAgents } from "../../src/plan/unsupported.ts";
import { markdownTable } from "../readme/markdown-table.ts";

const list = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(", ");

/** What is understood and refused today, by the names of `unsupported.ts`: a test holds them equal. */
export const plannedTexts: Readonly<Record<string, string>> = {
  "agent.type": list(knownAgentTypes.filter((type) => !executedAgents.some((each) => each === type))),
  "agent settings":
    "with the agent `command`: `permission_mode`, `allowed_tools`, `disallowed_tools`, `plugins`, `system_prompt`, `ignore_patterns`, `context_window`, where the task, the variant or `-D` sets them",
  simulation: "a simulated dialog (`enabled: true`)",
  reference: "any reference",
  checker_context: "anything",
  success_criteria: list(criterionTypes.filter((type) => type !== "command_not_executed" && !executedTypes.has(type))),
};

export function plannedTable(): string {
  return markdownTable(
    ["field", "not run yet"],
    Object.entries(plannedTexts).map(([field, text]) => [/ /.test(field) ? field : `\`${field}\``, text]),
  );
}
