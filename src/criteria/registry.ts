import { classificationMatch } from "./classification-match.ts";
import { cliCalled } from "./cli-called.ts";
import { commandExecuted } from "./command-executed.ts";
import { commandsEfficiency } from "./commands-efficiency.ts";
import type { CheckOutcome, CriterionContext } from "./criterion.ts";
import { failedCheck } from "./criterion.ts";
import type { Criterion } from "./criterion-schema.ts";
import { fileCheck } from "./file-check.ts";
import { fileContains } from "./file-contains.ts";
import { fileExists } from "./file-exists.ts";
import { fileMatchesRegex } from "./file-matches-regex.ts";
import { jsonCheck } from "./json-check.ts";
import { runCommand } from "./run-command.ts";
import { skillTriggered } from "./skill-triggered.ts";

/** The types that can be judged; a plan refuses the others as not supported yet. */
export const executedTypes: ReadonlySet<string> = new Set(
  [
    ...[fileExists, fileContains, fileCheck, fileMatchesRegex, jsonCheck, runCommand, classificationMatch],
    ...[commandExecuted, cliCalled, commandsEfficiency, skillTriggered],
  ].map(({ type }) => type),
);

/** Judges one criterion. What a checker throws is passed on; `gradeTask` turns it into a result. */
export async function checkCriterion(criterion: Criterion, context: CriterionContext): Promise<CheckOutcome> {
  switch (criterion.type) {
    case "file_exists":
      return fileExists.check(criterion, context);
    case "file_contains":
      return fileContains.check(criterion, context);
    case "file_check":
      return fileCheck.check(criterion, context);
    case "file_matches_regex":
      return fileMatchesRegex.check(criterion, context);
    case "json_check":
      return jsonCheck.check(criterion, context);
    case "run_command":
      return runCommand.check(criterion, context);
    case "classification_match":
      return classificationMatch.check(criterion, context);
    case "command_executed":
      return commandExecuted.check(criterion, context);
    case "cli_called":
      return cliCalled.check(criterion, context);
    case "commands_efficiency":
      return commandsEfficiency.check(criterion, context);
    case "skill_triggered":
      return skillTriggered.check(criterion, context);
    default:
      return failedCheck(`No checker registered for criterion type '${criterion.type}'`);
  }
}
