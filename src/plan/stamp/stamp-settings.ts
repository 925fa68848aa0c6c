import type { z } from "zod";
import { once } from "../../python/once.ts";
import { compareCodePoints } from "../code-points.ts";
import { cliFlagNames } from "../overrides/flag-names.ts";
import type { LineageEntry, ResolvedTask } from "../resolved-task.ts";
import { defaultDockerImage } from "../schema/docker-schema.ts";
import { childOf, objectsAt } from "../schema/schema-keys.ts";
import { taskSchema } from "../schema/task-schema.ts";
import { canonicalTexts, digestOf, type Redact } from "./canonical.ts";
import { settingsLeftOut, unorderedSettings } from "./stamped-fields.ts";
import type { StampedSetting } from "./task-stamp.ts";

/** A longer value is stamped by its digest. */
const maxValueChars = 300;

export interface SettingsStamp {
  readonly settings: Readonly<Record<string, StampedSetting>>;
  /** Equal for equal values, whoever set them. */
  readonly digest: string;
  /** Equal for equal values of the same layers. */
  readonly key: string;
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
  const values = leaves.map(({ path, value }) => ordered(path, portable(path, value)));
  const texts = canonicalTexts(values, redact);
  const settings: Record<string, StampedSetting> = {};
  let layers = "";
  for (const [index, { path, decidedAt }] of leaves.entries()) {
    const { source, detail } = setBy(task, path, decidedAt);
    layers += `${source} ${detail ?? ""}\n`;
    settings[path] = { value: shown(texts[index] ?? ""), source, detail };
  }
  const digest = digestOf(leaves.map(({ path }, index) => `${path} ${texts[index] ?? ""}\n`).join(""));
  return { settings, digest, key: digestOf(layers + digest) };
}

function shown(text: string): unknown {
  if (text === "null") return null;
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
  const fields = fieldsOf(schema, value);
  if (fields === undefined) {
    leaves.push({ path: path.join("."), value: value ?? null, decidedAt: decidedAt ?? path });
    return;
  }
  const whole = decidedAt ?? (value === null ? path : undefined);
  for (const [name, field] of fields) addLeaves(leaves, field, [...path, name], childOf(value, name), whole);
}

type Fields = readonly (readonly [string, z.core.$ZodType])[];

const knownFields = once(() => new WeakMap<z.core.$ZodType, Map<unknown, Fields | undefined>>());

/** The fields of a block as far as its type has them; undefined for what is no block. */
function fieldsOf(schema: z.core.$ZodType, value: unknown): Fields | undefined {
  const byType = knownFields().get(schema) ?? new Map<unknown, Fields | undefined>();
  knownFields().set(schema, byType);
  const type = childOf(value, "type");
  if (!byType.has(type)) {
    const objects = objectsAt(schema, [], value);
    // An agent without a type fits every type, so that there may be two.
    const fields = new Map(objects.flatMap(({ shape }) => Object.entries(shape)));
    byType.set(type, objects.length === 0 ? undefined : [...fields]);
  }
  return byType.get(type);
}

type Source = Pick<StampedSetting, "source" | "detail">;

const nobody: Source = { source: "default", detail: null };

function setBy(task: ResolvedTask, path: string, decidedAt: readonly string[]): Source {
  const own = Object.hasOwn(task.lineage, path) ? task.lineage[path] : undefined;
  if (own !== undefined) return { source: own.source, detail: own.source_detail };
  const above = nearestEntry(task, path);
  if (above === undefined) return nobody;
  const [highest] = task.contributions(decidedAt);
  if (highest !== undefined) return { source: highest.source, detail: highest.source === "cli" ? highest.name : null };
  // The image of `--image` belongs to no layer.
  const isImage = path === "sandbox.docker.image" && task.task.sandbox.docker.image !== defaultDockerImage;
  return isImage ? { source: "cli", detail: cliFlagNames.image } : nobody;
}

/** Of the block that it lies in, which has one entry for all of it; of a free mapping that of a key. */
function nearestEntry({ lineage }: ResolvedTask, path: string): LineageEntry | undefined {
  for (let end = path.lastIndexOf("."); end > 0; end = path.lastIndexOf(".", end - 1)) {
    const name = path.slice(0, end);
    if (Object.hasOwn(lineage, name)) return lineage[name];
  }
  const key = Object.keys(lineage).find((name) => name.startsWith(`${path}.`));
  return key === undefined ? undefined : lineage[key];
}
