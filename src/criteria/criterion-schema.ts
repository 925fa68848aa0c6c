import { z } from "zod";
import { classificationMatchSchema } from "./classification-match.ts";
import { cliCalledSchema } from "./cli-called.ts";
import { commandExecutedSchema, commandNotExecutedSchema } from "./command-executed.ts";
import { commandsEfficiencySchema } from "./commands-efficiency.ts";
import { fileCheckSchema } from "./file-check.ts";
import { fileContainsSchema } from "./file-contains.ts";
import { fileExistsSchema } from "./file-exists.ts";
import { fileMatchesRegexSchema } from "./file-matches-regex.ts";
import { jsonCheckSchema } from "./json-check.ts";
import { agentJudgeSchema, llmJudgeSchema, systemOneJudgeSchema } from "./later/judges.ts";
import { referenceComparisonSchema, uipathEvalSchema } from "./later/reference-and-uipath.ts";
import { removedCriteria } from "./later/removed.ts";
import { runCommandSchema } from "./run-command.ts";
import { skillTriggeredSchema } from "./skill-triggered.ts";

/** Every type that a task file may name today; `command_not_executed` is read as `command_executed`. */
export const criterionTypes: readonly string[] = [
  "file_exists",
  "file_contains",
  "file_check",
  "file_matches_regex",
  "json_check",
  "run_command",
  "classification_match",
  "reference_comparison",
  "command_executed",
  "command_not_executed",
  "cli_called",
  "commands_efficiency",
  "skill_triggered",
  "uipath_eval",
  "llm_judge",
  "agent_judge",
  "system_one_judge",
];

const union = z.discriminatedUnion(
  "type",
  [
    fileExistsSchema,
    fileContainsSchema,
    fileCheckSchema,
    fileMatchesRegexSchema,
    jsonCheckSchema,
    runCommandSchema,
    classificationMatchSchema,
    referenceComparisonSchema,
    commandExecutedSchema,
    commandNotExecutedSchema,
    cliCalledSchema,
    commandsEfficiencySchema,
    skillTriggeredSchema,
    uipathEvalSchema,
    llmJudgeSchema,
    agentJudgeSchema,
    systemOneJudgeSchema,
    ...removedCriteria,
  ],
  {
    error: (issue) => {
      if (issue.code !== "invalid_union") return undefined;
      const named = typeof issue.input === "object" && issue.input !== null && "type" in issue.input;
      return `${named ? "unknown criterion type" : "criterion without 'type'"}, expected one of ${criterionTypes.join(", ")}`;
    },
  },
);

/**
 * One entry of `success_criteria` in the forms of every version (formats.md 2): unknown keys are refused, scalars are
 * coerced as pydantic does. A weight of 0 makes a criterion informational [0.8.9+], so it can neither stop the run nor gate a suite.
 */
export const criterionSchema = union.superRefine((criterion, ctx) => {
  if (criterion.weight !== 0) return;
  const rule = "is informational (weight: 0), it can not carry";
  if (Object.keys(criterion.suite_thresholds ?? {}).length > 0) {
    ctx.addIssue({ code: "custom", path: ["suite_thresholds"], message: `the criterion ${rule} 'suite_thresholds'` });
  }
  if (criterion.stop_early !== undefined && criterion.stop_early !== null) {
    ctx.addIssue({ code: "custom", path: ["stop_early"], message: `the criterion ${rule} 'stop_early'` });
  }
});

export type Criterion = z.output<typeof criterionSchema>;
