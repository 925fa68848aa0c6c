import { escapeInvisible } from "../plan/found-text.ts";
import type { Plan } from "../plan/plan.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { renderColumns } from "../report/text-columns.ts";
import { recordSelection, selectionLines } from "../results/selection.ts";

/** What stands in one line: a task, or all rows of a suite, in one variant, with all its replicates. */
interface Line {
  readonly first: ResolvedTask;
  rows: number;
  replicates: number;
}

/** A table of what would run, then what would not, then the counts. */
export function renderPlan(plan: Plan, columns = 120): string {
  const lines: string[] = [];
  if (plan.tasks.length > 0) lines.push(...renderTable(linesOf(plan.tasks), columns), "");
  const notSupported = countNotSupported(plan.tasks);
  if (notSupported.size > 0) {
    const tasks = plan.tasks.filter((task) => task.notSupported.length > 0).length;
    lines.push(`Planned, but not run by this version (${counted(tasks, "task")}):`);
    for (const [what, count] of notSupported) lines.push(`  ${escapeInvisible(what)}: ${counted(count, "task")}`);
    lines.push("");
  }
  if (plan.skipped.length > 0) {
    lines.push("Not run:", ...skippedLines(plan.skipped), "");
  }
  lines.push(...selectionLines(recordSelection(plan)).map((line) => `only ${escapeInvisible(line)}`), countsOf(plan));
  return `${lines.join("\n")}\n`;
}

/** Files with one reason together, since a shared fault keeps many from running. */
function skippedLines(skipped: Plan["skipped"]): string[] {
  const byReason = Map.groupBy(skipped, ({ kind, reason }) => (kind === "skip" ? "skip: true" : reason));
  return [...byReason].flatMap(([reason, files]) => {
    const names = files.map(({ path }) => escapeInvisible(path));
    const [only, ...more] = names;
    const why = escapeInvisible(reason);
    return more.length === 0 ? [`  ${only}: ${why}`] : [`  ${why} (${names.length} files)`, ...names.map((name) => `    ${name}`)];
  });
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

interface Column {
  readonly heading: string;
  readonly cell: (line: Line) => string;
}

const columnsOfPlan: readonly Column[] = [
  {
    heading: "TASK",
    cell: ({ first, rows }) => (first.task.suite_id === null ? first.taskId : `${first.task.suite_id} (${counted(rows, "row")})`),
  },
  { heading: "VARIANT", cell: ({ first }) => first.variantId },
  { heading: "TIMES", cell: ({ replicates }) => `${replicates}×` },
  { heading: "SANDBOX", cell: ({ first }) => sandboxText(first.task.sandbox) },
  { heading: "AGENT", cell: ({ first }) => first.task.agent.type ?? "?" },
  { heading: "MODEL", cell: ({ first }) => (runsModel(first.task.agent) ? (first.task.agent.model ?? "") : "") },
  { heading: "CRITERIA", cell: ({ first }) => String(first.task.success_criteria.length) },
  { heading: "LIMITS", cell: ({ first }) => limitsText(first.task) },
  { heading: "TAGS", cell: ({ first }) => first.task.tags.join(" ") },
  { heading: "FILE", cell: ({ first }) => first.taskFile },
];

/** What is the same everywhere is said once, above the table: the room is for what differs. */
const worthSaying = new Set(["SANDBOX", "AGENT", "MODEL", "LIMITS", "TIMES"]);

function renderTable(lines: readonly Line[], columns: number): string[] {
  const cells = columnsOfPlan.map(({ heading, cell }) => ({ heading, values: lines.map((line) => escapeInvisible(cell(line))) }));
  const isSame = (values: readonly string[]) => values.every((value) => value === values[0]);
  const same = lines.length < 2 ? [] : cells.filter(({ heading, values }) => heading !== "TASK" && heading !== "FILE" && isSame(values));
  const rest = cells.filter((column) => !same.includes(column) && !column.values.every((value) => value === ""));
  const said = same
    .filter(({ heading, values }) => worthSaying.has(heading) && values[0] !== "" && values[0] !== "1×")
    .map(({ heading, values }) => `${heading.toLowerCase()} ${values[0]}`);
  const rows = lines.map((_line, index) => rest.map(({ values }) => values[index] ?? ""));
  const headings = rest.map(({ heading }) => heading);
  const spared = headings.flatMap((heading, index) => (heading === "TAGS" || heading === "FILE" ? [index] : []));
  return [...(said.length === 0 ? [] : [`In every task: ${said.join(", ")}`, ""]), ...renderColumns([headings, ...rows], columns, spared)];
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
