import { InputError } from "../errors.ts";
import { didYouMean } from "../plan/did-you-mean.ts";
import { escapeInvisible, quote } from "../plan/found-text.ts";
import type { Contribution } from "../plan/layers/contributions.ts";
import type { Plan } from "../plan/plan.ts";
import type { LineageEntry, ResolvedTask } from "../plan/resolved-task.ts";
import { renderColumns } from "../report/text-columns.ts";

/** Tasks that have one value of a field for the same reasons. */
export interface Explanation {
  readonly value: unknown;
  /** Which layer won, as `task.json` records it; undefined where no layer sets the field. */
  readonly entry: Pick<LineageEntry, "source" | "source_detail"> | undefined;
  /** The highest first. */
  readonly layers: readonly Contribution[];
  readonly tasks: readonly ExplainedTask[];
}

export interface ExplainedTask {
  readonly key: string;
  /** Where its file sets the field, `file:line:column`; absent where another layer alone does. */
  readonly place?: string | undefined;
}

/**
 * Where the value of a field comes from, task by task, equal ones together.
 * @throws InputError when no planned task has such a field
 */
export function explainField(plan: Plan, field: string): Explanation[] {
  const path = stepsOf(field);
  const groups = new Map<string, Explanation & { readonly tasks: ExplainedTask[] }>();
  let known: readonly string[] = [];
  for (const task of plan.tasks) {
    const found = path.join(".") === "repeats" ? repeatsOf(task) : valueAt(task.task, path);
    if (found.kind === "absent") {
      known = found.known;
      continue;
    }
    const all = task.contributions(path);
    const own = all.find(({ source }) => source === "task")?.place;
    // Each task has a file of its own, and its place is told with the task.
    const layers = all.map((layer) => (layer.source === "task" ? { ...layer, place: undefined } : layer));
    const explained: ExplainedTask = { key: task.key, ...(own === undefined ? {} : { place: placeText(own) }) };
    const { value } = found;
    const entry = entryOf(task, path);
    const same = JSON.stringify([value ?? null, entry?.source, entry?.source_detail, layers]);
    const group = groups.get(same);
    if (group === undefined) groups.set(same, { value, entry, layers, tasks: [explained] });
    else group.tasks.push(explained);
  }
  if (groups.size === 0 && plan.tasks.length > 0) throw unknownField(field, path, known);
  return [...groups.values()];
}

type Found = { readonly kind: "value"; readonly value: unknown } | { readonly kind: "absent"; readonly known: readonly string[] };

/** `success_criteria[0].path`, as messages write it, and `success_criteria.0.path` are one. */
function stepsOf(field: string): string[] {
  return field
    .replace(/\[(\d{1,9})\]/g, ".$1")
    .split(".")
    .map((step) => step.trim());
}

/** It belongs to no single replicate, so that only the lineage has it. */
function repeatsOf({ lineage }: ResolvedTask): Found {
  return { kind: "value", value: lineage.repeats?.value ?? 1 };
}

function valueAt(task: ResolvedTask["task"], path: readonly string[]): Found {
  let at: unknown = task;
  for (const step of path) {
    if (typeof at !== "object" || at === null) return { kind: "absent", known: [] };
    if (!Object.hasOwn(at, step)) return { kind: "absent", known: Object.keys(at) };
    at = Reflect.get(at, step);
  }
  return { kind: "value", value: at };
}

/** The entry of the field itself, or of the block that it lies in: a nested block has one entry for all of it. */
function entryOf({ lineage }: ResolvedTask, path: readonly string[]): Explanation["entry"] {
  for (let length = path.length; length > 0; length -= 1) {
    const entry = lineage[path.slice(0, length).join(".")];
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function unknownField(field: string, path: readonly string[], known: readonly string[]): InputError {
  const meant = path.map((step) => didYouMean(step, known)).find((word) => word !== undefined);
  const names = known.length === 0 ? "" : `; there is ${known.slice(0, 30).join(", ")}`;
  return new InputError([
    {
      severity: "error",
      code: "usage",
      message: `--explain ${quote(field)}: no task of this plan has such a field${names}`,
      hint: meant === undefined ? "name it as in --set: run_limits.max_turns, sandbox.docker.image, …" : `did you mean '${meant}'?`,
    },
  ]);
}

const maxValueCharacters = 600;
const maxNamedTasks = 5;

/** Explanations as text: the value, every layer that has one of its own, the tasks. */
export function renderExplanations(field: string, explanations: readonly Explanation[], columns: number): string {
  return explanations.map((explanation) => renderExplanation(field, explanation, columns)).join("\n");
}

function renderExplanation(field: string, { value, entry, layers, tasks }: Explanation, columns: number): string {
  const rows = layers.map(({ name, place, value: own }, index) => [
    index === 0 ? "  set by" : "  above",
    escapeInvisible(name),
    escapeInvisible(valueText(own)),
    place === undefined ? "" : escapeInvisible(placeText(place)),
  ]);
  const why = rows.length > 0 ? renderColumns(rows, columns) : [`  ${withoutLayers(entry)}`];
  const named = tasks
    .slice(0, maxNamedTasks)
    .map(({ key, place }) => `    ${escapeInvisible(key)}${place === undefined ? "" : `  ${escapeInvisible(place)}`}`);
  const more = tasks.length > maxNamedTasks ? [`    and ${tasks.length - maxNamedTasks} more`] : [];
  const count = tasks.length === 1 ? "1 task" : `${tasks.length} tasks`;
  return [`${field} = ${escapeInvisible(valueText(value))}  (${count})`, ...why, ...named, ...more, ""].join("\n");
}

function placeText({ file, line, column }: NonNullable<Contribution["place"]>): string {
  return `${file}:${line}:${column}`;
}

function withoutLayers(entry: Explanation["entry"]): string {
  if (entry === undefined) return "set by no layer: the value of the task file, or the default of the field";
  const detail = entry.source_detail === null ? "" : ` (${escapeInvisible(entry.source_detail)})`;
  return `set by ${entry.source}${detail}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text;
}
