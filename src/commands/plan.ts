import { escapeInvisible } from "../plan/found-text.ts";
import { makePlan, type Plan, type PlanOptions } from "../plan/plan.ts";
import { renderIssues } from "../plan/render-issues.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { exitCodes } from "./exit-codes.ts";

export interface PlanCommandOptions extends PlanOptions {
  readonly json: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

export interface PlanOutcome {
  /** The plan as a table or as JSON, for stdout. */
  readonly text: string;
  /** Errors and warnings of the task files, for stderr; empty when there are none. */
  readonly problems: string;
  readonly exitCode: number;
}

/** Shows what would run. @throws InputError as `makePlan` */
export async function planCommand(options: PlanCommandOptions): Promise<PlanOutcome> {
  const plan = await makePlan(options);
  const problems = plan.issues.length === 0 ? "" : `${renderIssues(plan.issues, plan.lineOf)}\n`;
  const text = options.json ? `${JSON.stringify(planToJson(plan), null, 2)}\n` : renderPlan(plan, options.columns);
  return { text, problems, exitCode: plan.loadFailures > 0 ? exitCodes.failed : exitCodes.passed };
}

const headings = ["TASK", "SANDBOX", "AGENT", "CRITERIA", "LIMITS", "TAGS", "FILE"] as const;
const minColumnWidth = 12;

/** A table of the tasks that would run, then the files that would not, then the counts. */
export function renderPlan(plan: Plan, columns = 120): string {
  const lines: string[] = [];
  if (plan.tasks.length > 0) lines.push(...renderTable([[...headings], ...plan.tasks.map(rowOf)], columns), "");
  if (plan.skipped.length > 0) {
    lines.push("Not run:", ...plan.skipped.map(({ path, reason }) => `  ${escapeInvisible(path)}: ${escapeInvisible(reason)}`), "");
  }
  lines.push(countsOf(plan));
  return `${lines.join("\n")}\n`;
}

function countsOf(plan: Plan): string {
  const skipped = plan.skipped.length - plan.loadFailures;
  const errors = plan.issues.filter((issue) => issue.severity === "error").length;
  const warnings = plan.issues.length - errors;
  return [
    counted(plan.tasks.length, "task"),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(plan.loadFailures > 0 ? [`${counted(plan.loadFailures, "file")} that cannot run`] : []),
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ].join(", ");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function rowOf({ taskId, task, taskFile }: ResolvedTask): string[] {
  const { sandbox } = task;
  const cells = [
    taskId,
    sandboxText(sandbox),
    task.agent.type ?? "?",
    String(task.success_criteria.length),
    limitsText(task),
    task.tags.join(" "),
    taskFile,
  ];
  return cells.map(escapeInvisible);
}

function sandboxText({ driver, docker }: ResolvedTask["task"]["sandbox"]): string {
  if (driver !== "docker") return driver;
  return docker.dockerfile_path === null ? `docker ${docker.image}` : "docker (Dockerfile)";
}

function limitsText({ run_limits: limits, sandbox }: ResolvedTask["task"]): string {
  const parts = [
    limits.task_timeout === null ? undefined : `${limits.task_timeout}s`,
    sandbox.limits.max_memory_mb === null ? undefined : `${sandbox.limits.max_memory_mb}MB`,
    sandbox.limits.max_cpus === null ? undefined : `${sandbox.limits.max_cpus}cpu`,
    limits.max_usd === null ? undefined : `$${limits.max_usd}`,
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}

/** Columns as wide as their widest cell; when the line gets too long, the widest ones are cut first. */
function renderTable(rows: readonly (readonly string[])[], columns: number): string[] {
  const widths = headings.map((_heading, column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2);
  while (total() > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= minColumnWidth) break;
    widths[widest] = Math.max(minColumnWidth, (widths[widest] ?? 0) - (total() - columns));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => fit(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function fit(cell: string, width: number): string {
  const characters = [...cell];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : cell + " ".repeat(width - characters.length);
}

/** The plan as JSON; keys are stable. `lineage` tells which layer set what. */
export function planToJson(plan: Plan): Readonly<Record<string, unknown>> {
  return {
    tasks: plan.tasks.map((task) => ({
      key: task.key,
      task_id: task.taskId,
      variant_id: task.variantId,
      replicate_index: task.replicateIndex,
      file: task.taskFile,
      result_dir: task.resultDir,
      driver: task.task.sandbox.driver,
      image:
        task.task.sandbox.driver === "docker" && task.task.sandbox.docker.dockerfile_path === null ? task.task.sandbox.docker.image : null,
      agent: task.task.agent.type,
      tags: task.task.tags,
      criteria: task.task.success_criteria.map(({ type, description, weight }) => ({ type, description, weight })),
      run_limits: task.task.run_limits,
      limits: task.task.sandbox.limits,
      lineage: task.lineage,
    })),
    skipped: plan.skipped,
    issues: plan.issues,
    load_failures: plan.loadFailures,
  };
}
