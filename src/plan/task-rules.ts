import type { Problem } from "./issues.ts";
import type { ResolvedDefinition } from "./resolved-task.ts";
import { childOf } from "./schema/schema-keys.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Criterion types that judge what an agent did: meaningless where no agent runs (formats.md 2.1, marker A). */
const agentCriteria = new Set([
  "command_executed",
  "command_not_executed",
  "skill_triggered",
  "reference_comparison",
  "commands_efficiency",
]);

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * The rules across fields of formats.md 1.1. They read the file's own values, not the validated ones, so that their
 * problems come together with those of the schema.
 */
export function ruleProblems(fields: Fields): Problem[] {
  return [
    ...promptProblems(fields),
    ...noAgentProblems(fields),
    ...criteriaProblems(fields),
    ...weightProblems(fields),
    ...thresholdProblems(fields),
    ...sandboxWarnings(fields),
  ];
}

function error(code: string, path: readonly PropertyKey[], message: string, hint?: string): Problem {
  return { severity: "error", code, path, message, hint };
}

function warning(code: string, path: readonly PropertyKey[], message: string, hint?: string): Problem {
  return { severity: "warning", code, path, message, hint };
}

function isSimulated(fields: Fields): boolean {
  const enabled = childOf(fields.simulation, "enabled");
  return enabled === true || enabled === 1 || (typeof enabled === "string" && /^(?:true|t|yes|y|on|1)$/i.test(enabled));
}

function criteriaOf(fields: Fields): readonly unknown[] {
  return Array.isArray(fields.success_criteria) ? fields.success_criteria : [];
}

function promptProblems(fields: Fields): Problem[] {
  const text = isSet(fields.initial_prompt);
  const file = isSet(fields.initial_prompt_file);
  if (text && file)
    return [error("exclusive-fields", ["initial_prompt_file"], "initial_prompt and initial_prompt_file exclude each other")];
  if (text || file || childOf(fields.agent, "type") === "none" || isSimulated(fields)) return [];
  const hint = "a task without an agent says so: agent: {type: none}";
  return [error("missing-field", ["initial_prompt"], "a prompt is missing: initial_prompt or initial_prompt_file", hint)];
}

function noAgentProblems(fields: Fields): Problem[] {
  if (childOf(fields.agent, "type") !== "none") return [];
  const problems: Problem[] = [];
  for (const name of ["initial_prompt", "initial_prompt_file"]) {
    if (isSet(fields[name]))
      problems.push(error("no-agent", [name], `with agent type 'none' nobody reads ${name}`, "remove it, or name an agent"));
  }
  if (isSimulated(fields))
    problems.push(error("no-agent", ["simulation", "enabled"], "a dialog needs an agent, and the agent type is 'none'"));
  criteriaOf(fields).forEach((criterion, index) => {
    const type = childOf(criterion, "type");
    if (typeof type !== "string" || !agentCriteria.has(type)) return;
    problems.push(error("no-agent", ["success_criteria", index, "type"], `${type} judges what an agent did, and the agent type is 'none'`));
  });
  return problems;
}

function criteriaProblems(fields: Fields): Problem[] {
  const problems: Problem[] = [];
  const directory = isSet(childOf(fields.reference, "directory"));
  criteriaOf(fields).forEach((criterion, index) => {
    const path = ["success_criteria", index];
    // Suites are made by a dataset; its rows carry the suite's id.
    if (isSet(childOf(criterion, "suite_thresholds")) && !isSet(fields.dataset) && !isSet(fields.suite_id)) {
      problems.push(error("no-dataset", [...path, "suite_thresholds"], "suite_thresholds need a dataset in the task"));
    }
    if (childOf(criterion, "type") !== "reference_comparison") return;
    // 0.8.2 compares with text, 0.11 with a file of the directory: a directory alone fits neither.
    if (directory && !isSet(childOf(criterion, "reference_file"))) {
      problems.push(error("missing-field", path, "reference_comparison with reference.directory needs reference_file"));
    }
    if (!isSet(fields.reference)) problems.push(warning("no-reference", path, "without a reference this criterion always scores 0"));
  });
  return problems;
}

function weightProblems(fields: Fields): Problem[] {
  const criteria = criteriaOf(fields);
  if (criteria.length === 0 || !criteria.every((criterion) => childOf(criterion, "weight") === 0)) return [];
  const message = "every criterion has weight 0: all of them decide then, and the score is their plain mean";
  return [warning("no-weight", ["success_criteria"], message, "give at least one criterion a weight")];
}

/** A threshold of 0 is met by every score: such a task can't fail. */
function thresholdProblems(fields: Fields): Problem[] {
  const criteria = criteriaOf(fields);
  if (criteria.length === 0 || !criteria.every((criterion) => childOf(criterion, "pass_threshold") === 0)) return [];
  const message = "every criterion has pass_threshold 0, so the task passes whatever happens";
  return [warning("no-threshold", ["success_criteria"], message, "give at least one criterion a threshold above 0")];
}

function sandboxWarnings(fields: Fields): Problem[] {
  const problems: Problem[] = [];
  const sources = childOf(fields.sandbox, "template_sources");
  if (Array.isArray(sources) && sources.length > 10) {
    problems.push(warning("many-templates", ["sandbox", "template_sources"], `${sources.length} template sources are unusually many`));
  }
  if (isSet(childOf(childOf(fields.sandbox, "limits"), "max_disk_mb"))) {
    problems.push(warning("not-enforced", ["sandbox", "limits", "max_disk_mb"], "max_disk_mb is reserved and not enforced"));
  }
  return problems;
}

/**
 * The rules of formats.md 1.1 that another layer can break: a resolved task is validated again, as 0.8.2 does. A task file
 * that broke them by itself was refused before.
 */
export function resolvedRuleProblems(task: ResolvedDefinition): Problem[] {
  return [...promptProblems(task), ...noAgentProblems(task)];
}
