import type { z } from "zod";
import { compareCodePoints } from "../code-points.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { childOf, objectsAt } from "../schema/schema-keys.ts";
import { taskSchema } from "../schema/task-schema.ts";
import { canonicalText, digestOf, type Redact } from "./canonical.ts";
import { settingsLeftOut, unorderedSettings } from "./stamped-fields.ts";
import type { StampedSetting } from "./task-stamp.ts";

/** A longer value is stamped by its digest. */
const maxValueChars = 300;

export interface SettingsStamp {
  readonly settings: Readonly<Record<string, StampedSetting>>;
  /** Equal for equal values, whoever set them. */
  readonly digest: string;
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
  /** Where to ask who set it: the path, or that of the block that is null as a whole. */
  readonly decidedAt: readonly string[];
}

/**
 * The settings of a task that can change its result, each with the layer that set it. A field that may be left away is null where it is.
 * @param portable a value with its paths named as every machine names them
 */
export function stampSettings(task: ResolvedTask, portable: (path: string, value: unknown) => unknown, redact: Redact): SettingsStamp {
  const leaves = settingLeaves(task.task).sort((left, right) => compareCodePoints(left.path, right.path));
  const values: string[] = [];
  const settings: [string, StampedSetting][] = [];
  for (const { path, value, decidedAt } of leaves) {
    const text = canonicalText(ordered(path, portable(path, value)), redact);
    values.push(`${path} ${text}`);
    settings.push([path, { value: shown(text), ...setBy(task, path, decidedAt) }]);
  }
  return { settings: Object.fromEntries(settings), digest: digestOf(values.join("\n")) };
}

function shown(text: string): unknown {
  return text.length > maxValueChars ? `sha256 ${digestOf(text)} of ${text.length} characters` : JSON.parse(text);
}

function ordered(path: string, value: unknown): unknown {
  if (!unorderedSettings.has(path) || !Array.isArray(value)) return value;
  return [...new Set(value.map(String))].sort(compareCodePoints);
}

/** Settings of what does not take part: a container where there is none, an agent where none is called. */
function isIdle(path: string, { agent, sandbox }: ResolvedTask["task"]): boolean {
  if (path.startsWith("sandbox.docker.")) return sandbox.driver !== "docker";
  return path.startsWith("agent.") && path !== "agent.type" && agent.type === "none";
}

/** Every setting that the schema knows and that can change a result of this task; free mappings and lists are one. */
export function settingLeaves(task: ResolvedTask["task"]): Leaf[] {
  const { agent, run_limits, sandbox } = taskSchema.shape;
  const leaves: Leaf[] = [];
  for (const [root, schema] of Object.entries({ agent, run_limits, sandbox })) addLeaves(leaves, schema, [root], childOf(task, root));
  return leaves.filter(({ path }) => !Object.hasOwn(settingsLeftOut, path) && !isIdle(path, task));
}

function addLeaves(leaves: Leaf[], schema: z.core.$ZodType, path: readonly string[], value: unknown, decidedAt?: readonly string[]): void {
  const [object] = objectsAt(schema, [], value);
  if (object === undefined) {
    leaves.push({ path: path.join("."), value: value ?? null, decidedAt: decidedAt ?? path });
    return;
  }
  const whole = decidedAt ?? (value === null ? path : undefined);
  for (const [name, field] of Object.entries(object.shape)) addLeaves(leaves, field, [...path, name], childOf(value, name), whole);
}

type Source = Pick<StampedSetting, "source" | "detail">;

const nobody: Source = { source: "default", detail: null };

function setBy(task: ResolvedTask, path: string, decidedAt: readonly string[]): Source {
  const entry = nearestEntry(task, path);
  if (entry === undefined) return nobody;
  const [highest] = task.contributions(decidedAt);
  if (highest !== undefined) return { source: highest.source, detail: highest.source === "cli" ? highest.name : null };
  // The image of `--image` belongs to no layer.
  const isImage = path === "sandbox.docker.image" && entry.source === "cli";
  return isImage ? { source: "cli", detail: entry.source_detail } : nobody;
}

/** The lineage has an entry for each field of a block, and none for what lies deeper. */
function nearestEntry({ lineage }: ResolvedTask, path: string) {
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const name = path.slice(0, end);
    if (Object.hasOwn(lineage, name)) return lineage[name];
  }
  // A free mapping has entries of its keys.
  const [key] = Object.keys(lineage).filter((name) => name.startsWith(`${path}.`));
  return key === undefined ? undefined : lineage[key];
}
