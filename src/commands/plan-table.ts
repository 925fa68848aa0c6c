import { escapeInvisible } from "../plan/found-text.ts";
import type { Plan } from "../plan/plan.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { recordSelection, selectionLines } from "../results/selection.ts";
import { renderColumns } from "./text-columns.ts";

/** What stands in one line: a task, or all rows of a suite, in one variant, with all its replicates. */
interface Line {
  readonly first: ResolvedTask;
  rows: number;
  replicates: number;
}

/** A table of what would run, then what would not, then the counts. */
export function renderPlan(plan: Plan, columns = 120): string {
  const lines: string[] = [];
  if (plan.tasks.length > 0) lines.push(...renderTable(linesOf(plan.tasks), plan, columns), "");
  const notSupported = countNotSupported(plan.tasks);
  if (notSupported.size > 0) {
    const tasks = plan.tasks.filter((task) => task.notSupported.length > 0).length;
    lines.push(`Planned, but not run by this version (${counted(tasks, "task")}):`);
    for (const [what, count] of notSupported) lines.push(`  ${escapeInvisible(what)}: ${counted(count, "task")}`);
    lines.push("");
  }
  if (plan.skipped.length > 0) {
    lines.push("Not run:", ...plan.skipped.map(({ path, reason }) => `  ${escapeInvisible(path)}: ${escapeInvisible(reason)}`), "");
  }
  lines.push(...selectionLines(recordSelection(plan)).map(escapeInvisible), countsOf(plan));
  return `${lines.join("\n")}\n`;
}

function linesOf(tasks: readonly ResolvedTask[]): Line[] {
  const lines = new Map<string, Line>();
  for (const task of tasks) {
    const name = JSON.stringify([task.task.suite_id ?? task.taskId, task.variantId, task.taskFile]);
    const line = lines.get(name);
    if (line === undefined) lines.set(name, { first: task, rows: 1, replicates: 1 });
    else if (task.replicateIndex === 0) line.rows += 1;
    else line.replicates = Math.max(line.replicates, task.replicateIndex + 1);
  }
  return [...lines.values()];
}

function renderTable(lines: readonly Line[], plan: Plan, columns: number): string[] {
  const withVariants = plan.experiment.variants.length > 1;
  const withReplicates = lines.some(({ replicates }) => replicates > 1);
  const withModels = lines.some(({ first }) => runsModel(first.task.agent));
  const heading = [
    "TASK",
    ...(withVariants ? ["VARIANT"] : []),
    ...(withReplicates ? ["TIMES"] : []),
    "SANDBOX",
    "AGENT",
    ...(withModels ? ["MODEL"] : []),
    "CRITERIA",
    "LIMITS",
    "TAGS",
    "FILE",
  ];
  const rows = lines.map(({ first, rows: count, replicates }) => {
    const { task } = first;
    return [
      task.suite_id === null ? first.taskId : `${task.suite_id} (${counted(count, "row")})`,
      ...(withVariants ? [first.variantId] : []),
      ...(withReplicates ? [`${replicates}×`] : []),
      sandboxText(task.sandbox),
      task.agent.type ?? "?",
      ...(withModels ? [runsModel(task.agent) ? (task.agent.model ?? "") : ""] : []),
      String(task.success_criteria.length),
      limitsText(task),
      task.tags.join(" "),
      first.taskFile,
    ].map(escapeInvisible);
  });
  return renderColumns([heading, ...rows], columns);
}

/** The default model of the lowest layer reaches every task; these have no use for it. */
function runsModel({ type, model }: ResolvedTask["task"]["agent"]): boolean {
  return type !== "none" && type !== "command" && model !== null;
}

function countNotSupported(tasks: readonly ResolvedTask[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const task of tasks) for (const what of new Set(task.notSupported)) counts.set(what, (counts.get(what) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

function countsOf(plan: Plan): string {
  const skipped = plan.skipped.length - plan.loadFailures;
  const errors = plan.issues.filter((issue) => issue.severity === "error").length;
  const warnings = plan.issues.length - errors;
  const { variants } = plan.experiment;
  const replicates = plan.tasks.reduce((most, task) => Math.max(most, task.replicateIndex + 1), 1);
  const ids = new Set(plan.tasks.map((task) => task.taskId)).size;
  const times = [
    ...(variants.length > 1 ? [counted(variants.length, "variant")] : []),
    ...(replicates > 1 ? [`up to ${replicates} replicates`] : []),
  ];
  return [
    times.length === 0
      ? counted(plan.tasks.length, "task")
      : `${counted(plan.tasks.length, "run")} of ${counted(ids, "task")} (${times.join(", ")})`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(plan.loadFailures > 0 ? [`${counted(plan.loadFailures, "file")} that cannot run`] : []),
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ].join(", ");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function sandboxText({ driver, docker }: ResolvedTask["task"]["sandbox"]): string {
  if (driver !== "docker") return driver;
  return docker.dockerfile_path === null ? `docker ${docker.image}` : "docker (Dockerfile)";
}

function limitsText({ agent, run_limits: limits, sandbox }: ResolvedTask["task"]): string {
  const parts = [
    limits.task_timeout === null ? undefined : `${limits.task_timeout}s`,
    limits.max_turns === null || !runsModel(agent) ? undefined : `${limits.max_turns} turns`,
    sandbox.limits.max_memory_mb === null ? undefined : `${sandbox.limits.max_memory_mb}MB`,
    sandbox.limits.max_cpus === null ? undefined : `${sandbox.limits.max_cpus}cpu`,
    limits.max_usd === null ? undefined : `$${limits.max_usd}`,
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}
