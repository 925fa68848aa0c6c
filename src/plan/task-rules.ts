import type { Problem } from "./issues.ts";
import type { ResolvedDefinition } from "./resolved-task.ts";
import { earlyStopProblems } from "./rules/early-stop.ts";
import { placeholderProblems } from "./rules/placeholders.ts";
import { criteriaOf, type Fields, isSet, isSimulated, ruleError, ruleWarning } from "./rules/read-fields.ts";
import { referenceProblems } from "./rules/reference-use.ts";
import { childOf } from "./schema/schema-keys.ts";

/** Criterion types that judge what an agent did: meaningless where no agent runs (formats.md 2.1, marker A). */
const agentCriteria = new Set([
  "command_executed",
  "command_not_executed",
  "skill_triggered",
  "reference_comparison",
  "commands_efficiency",
]);

/**
 * The rules across fields of formats.md 1.1. They read the file's own values, not the validated ones, so that their
 * problems come together with those of the schema.
 */
export function ruleProblems(fields: Fields): Problem[] {
  return [
    ...promptProblems(fields),
    ...noAgentProblems(fields),
    ...suiteProblems(fields),
    ...referenceProblems(fields),
    ...earlyStopProblems(fields),
    ...placeholderProblems(fields),
    ...weightProblems(fields),
    ...thresholdProblems(fields),
    ...sandboxWarnings(fields),
  ];
}

function promptProblems(fields: Fields): Problem[] {
  const text = isSet(fields.initial_prompt);
  const file = isSet(fields.initial_prompt_file);
  if (text && file)
    return [
      ruleError(
        "exclusive-fields",
        ["initial_prompt_file"],
        "initial_prompt and initial_prompt_file exclude each other",
        "keep one of them",
      ),
    ];
  if (text || file || childOf(fields.agent, "type") === "none" || isSimulated(fields)) return [];
  const hint = "a task without an agent says so: agent: {type: none}";
  return [ruleError("missing-field", ["initial_prompt"], "a prompt is missing: initial_prompt or initial_prompt_file", hint)];
}

function noAgentProblems(fields: Fields): Problem[] {
  if (childOf(fields.agent, "type") !== "none") return [];
  const problems: Problem[] = [];
  for (const name of ["initial_prompt", "initial_prompt_file"]) {
    if (isSet(fields[name]))
      problems.push(ruleError("no-agent", [name], `with agent type 'none' nobody reads ${name}`, "remove it, or name an agent"));
  }
  if (isSimulated(fields))
    problems.push(ruleError("no-agent", ["simulation", "enabled"], "a dialog needs an agent, and the agent type is 'none'"));
  criteriaOf(fields).forEach((criterion, index) => {
    const type = childOf(criterion, "type");
    if (typeof type !== "string" || !agentCriteria.has(type)) return;
    problems.push(
      ruleError(
        "no-agent",
        ["success_criteria", index, "type"],
        `${type} judges what an agent did, and the agent type is 'none'`,
        "remove it, or name an agent",
      ),
    );
  });
  return problems;
}

function suiteProblems(fields: Fields): Problem[] {
  // Suites are made by a dataset; its rows carry the suite's id.
  if (isSet(fields.dataset) || isSet(fields.suite_id)) return [];
  return criteriaOf(fields).flatMap((criterion, index) => {
    if (!isSet(childOf(criterion, "suite_thresholds"))) return [];
    const path = ["success_criteria", index, "suite_thresholds"];
    return [ruleError("no-dataset", path, "suite_thresholds need a dataset in the task", "add a dataset, or remove them")];
  });
}

function weightProblems(fields: Fields): Problem[] {
  const criteria = criteriaOf(fields);
  if (criteria.length === 0 || !criteria.every((criterion) => childOf(criterion, "weight") === 0)) return [];
  const message = "every criterion has weight 0: all of them decide then, and the score is their plain mean";
  return [ruleWarning("no-weight", ["success_criteria"], message, "give at least one criterion a weight")];
}

/** A threshold of 0 is met by every score: such a task can't fail. */
function thresholdProblems(fields: Fields): Problem[] {
  const criteria = criteriaOf(fields);
  if (criteria.length === 0 || !criteria.every((criterion) => childOf(criterion, "pass_threshold") === 0)) return [];
  const message = "every criterion has pass_threshold 0, so the task passes whatever happens";
  return [ruleWarning("no-threshold", ["success_criteria"], message, "give at least one criterion a threshold above 0")];
}

function sandboxWarnings(fields: Fields): Problem[] {
  const problems: Problem[] = [];
  const sources = childOf(fields.sandbox, "template_sources");
  if (Array.isArray(sources) && sources.length > 10) {
    problems.push(ruleWarning("many-templates", ["sandbox", "template_sources"], `${sources.length} template sources are unusually many`));
  }
  if (isSet(childOf(childOf(fields.sandbox, "limits"), "max_disk_mb"))) {
    problems.push(
      ruleWarning("not-enforced", ["sandbox", "limits", "max_disk_mb"], "max_disk_mb is reserved and not enforced", "remove it"),
    );
  }
  return problems;
}

/**
 * The rules of formats.md 1.1 that another layer can break: a resolved task is validated again, as 0.8.2 does. A task file
 * that broke them by itself was refused before.
 */
export function resolvedRuleProblems(task: ResolvedDefinition): Problem[] {
  return [...promptProblems(task), ...noAgentProblems(task), ...earlyStopProblems(task)];
}
