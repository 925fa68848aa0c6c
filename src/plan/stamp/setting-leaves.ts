import type { z } from "zod";
import { once } from "../../python/once.ts";
import { compareCodePoints } from "../code-points.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { childOf, objectsAt } from "../schema/schema-keys.ts";
import { taskSchema } from "../schema/task-schema.ts";
import { settingsLeftOut } from "./stamped-fields.ts";

/** A setting of a task: what is no block of named fields. Free mappings and lists are one. */
export interface SettingLeaf {
  /** Dotted. */
  readonly path: string;
  /** Null also where it may be left away and is. */
  readonly value: unknown;
  /** Where to ask who set it: the path, or that of the block that is null as a whole. */
  readonly decidedAt: readonly string[];
}

interface KnownLeaf {
  readonly path: string;
  readonly steps: readonly string[];
}

const knownLeaves = once(() => new Map<unknown, readonly KnownLeaf[]>());

/** Every setting that the schema knows and that can change a result of this task, sorted by path. */
export function settingLeaves(task: ResolvedTask["task"]): SettingLeaf[] {
  const { type } = task.agent;
  const known = knownLeaves().get(type) ?? leavesOf(task.agent);
  knownLeaves().set(type, known);
  const isIdle = idleIn(task);
  return known.flatMap(({ path, steps }) => (isIdle(path) ? [] : [{ path, ...valueAt(task, steps) }]));
}

/** Settings of what does not take part: a container where there is none, an agent where none is called. */
function idleIn({ agent, sandbox }: ResolvedTask["task"]): (path: string) => boolean {
  const withoutAgent = agent.type === "none";
  const withoutContainer = sandbox.driver !== "docker";
  return (path) =>
    (withoutContainer && path.startsWith("sandbox.docker.")) || (withoutAgent && path.startsWith("agent.") && path !== "agent.type");
}

function valueAt(task: ResolvedTask["task"], steps: readonly string[]): Pick<SettingLeaf, "value" | "decidedAt"> {
  let at: unknown = task;
  for (const [index, step] of steps.entries()) {
    at = childOf(at, step);
    if (at === null || at === undefined) return { value: null, decidedAt: at === null ? steps.slice(0, index + 1) : steps };
  }
  return { value: at, decidedAt: steps };
}

/** The settings of tasks whose agent is of this one's type. */
function leavesOf(ofType: ResolvedTask["task"]["agent"]): readonly KnownLeaf[] {
  const { agent, run_limits, sandbox } = taskSchema.shape;
  const leaves: KnownLeaf[] = [];
  addLeaves(leaves, agent, ["agent"], ofType);
  addLeaves(leaves, run_limits, ["run_limits"]);
  addLeaves(leaves, sandbox, ["sandbox"]);
  return leaves.filter(({ path }) => !Object.hasOwn(settingsLeftOut, path)).sort((left, right) => compareCodePoints(left.path, right.path));
}

function addLeaves(leaves: KnownLeaf[], schema: z.core.$ZodType, steps: readonly string[], value?: unknown): void {
  const objects = objectsAt(schema, [], value);
  // An agent without a type fits every type, so that there may be two.
  const fields = new Map(objects.flatMap(({ shape }) => Object.entries(shape)));
  if (objects.length === 0) leaves.push({ path: steps.join("."), steps });
  for (const [name, field] of fields) addLeaves(leaves, field, [...steps, name]);
}
