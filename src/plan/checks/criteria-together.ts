import type { Criterion } from "../../criteria/criterion-schema.ts";
import type { Problem } from "../issues.ts";
import type { Lineage, LineageEntry, ResolvedDefinition } from "../resolved-task.ts";
import { warning } from "./problem.ts";

/** What shows only when criteria are seen beside each other and beside the task's limits. */
export function togetherProblems({ success_criteria, run_limits, agent }: ResolvedDefinition, lineage: Lineage): Problem[] {
  const limit = lineage["run_limits.task_timeout"];
  return [
    ...duplicates(success_criteria),
    ...longCommands(success_criteria, run_limits.task_timeout, limit),
    ...(agent.type === "command" ? unseenCalls(success_criteria) : []),
  ];
}

const onToolCalls: ReadonlySet<string> = new Set(["command_executed", "commands_efficiency", "skill_triggered"]);

/** A plain command line tells nothing of what it does: the criterion is judged on no call at all. */
function unseenCalls(criteria: readonly Criterion[]): Problem[] {
  return criteria.flatMap(({ type }, index) => {
    if (!onToolCalls.has(type)) return [];
    const message = `${type} looks at tool calls, and an agent of type 'command' has none`;
    const hint = "record the tools that it calls (sandbox.record_cli, cli_called), or name another agent";
    return [warning("no-tool-calls", ["success_criteria", index, "type"], message, hint)];
  });
}

/** The same check twice counts twice: mostly a copy that was to be changed. */
function duplicates(criteria: readonly Criterion[]): Problem[] {
  if (criteria.length < 2) return [];
  const seen = new Map<string, number>();
  return criteria.flatMap((criterion, index) => {
    const key = JSON.stringify(criterion, (_name, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      return [];
    }
    const message = `the criterion is the same as success_criteria[${first}]`;
    return [warning("duplicate-criterion", ["success_criteria", index], message, "it counts twice: change it, or remove it")];
  });
}

/** The limit of the task covers its criteria, too. */
function longCommands(criteria: readonly Criterion[], taskSeconds: number | null, limit: LineageEntry | undefined): Problem[] {
  if (taskSeconds === null) return [];
  return criteria.flatMap((criterion, index) => {
    if (criterion.type !== "run_command" || criterion.timeout <= taskSeconds) return [];
    const message = `the command may take ${criterion.timeout} s, and the whole task ${taskSeconds} s`;
    const from = limit === undefined || limit.source === "task" ? "" : `, which comes from ${sourceName(limit)}`;
    const hint = `lower the timeout, or raise run_limits.task_timeout${from}`;
    return [warning("timeout-too-long", ["success_criteria", index, "timeout"], message, hint)];
  });
}

function sourceName({ source, source_detail }: LineageEntry): string {
  if (source === "variant") return `variant '${source_detail ?? ""}'`;
  if (source === "cli") return source_detail ?? "the command line";
  return source === "default" ? "the built-in default experiment" : "the experiment's defaults";
}
