import { z } from "zod";
import { quote } from "../found-text.ts";
import { armsOf } from "../schema/schema-keys.ts";
import { taskFieldNames } from "../schema/task-schema.ts";
import { cliFlagNames, type FlagNames } from "./flag-names.ts";
import { meantPath, type WrongPath } from "./meant-path.ts";
import { agentTypesWith, isSettingRoot, objectsOfRoot, type SettingRoot, settingRoots } from "./setting-roots.ts";

type Schema = z.core.$ZodType;

export interface Finding {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A field that can be set. */
export interface Field {
  readonly kind: "field";
  readonly root: SettingRoot;
  /** With the root, and without aliases. */
  readonly path: readonly string[];
  /** The value has to fit one of them: which one is known only with the agent's type. */
  readonly schemas: readonly Schema[];
  /** How much of `path` leads to what `schemas` describe; what follows are keys of a free mapping, which is checked as a whole. */
  readonly depth: number;
}

/** Deeper than any setting; what follows must not recurse without end. */
const maxSteps = 50;

/** Another name of a field in an agent block (formats.md 1.3). */
const agentAliases: ReadonlyMap<string, string> = new Map([["additional_ignore_patterns", "ignore_patterns"]]);

/**
 * The field that a dotted path names, or why there is none: with what may have been meant.
 * @param agentType where it is known; else the fields of all types count
 */
export function findField(
  text: string,
  agentType: string | undefined,
  names: FlagNames = cliFlagNames,
): Field | ({ readonly kind: "problem" } & Finding) {
  if (text === "repeats") return notFound("'repeats' is no field of agent, run_limits or sandbox", `use ${names.repeats}`);
  const steps = text.split(".");
  if (steps.length > maxSteps) return notFound(`the path has ${steps.length} names, more than ${maxSteps}`);
  const found = lookUp(steps, agentType);
  if (found.kind === "field" || found.wrong === undefined) return found;
  const meant = meantPath(found.wrong, (steps) => {
    const again = lookUp(steps, agentType);
    return again.kind === "field" ? undefined : (again.wrong ?? { steps, index: -1, allowed: [] });
  });
  const hint = [meant === undefined ? undefined : `did you mean ${quote(meant)}?`, found.hint]
    .filter((part) => part !== undefined)
    .join(" ");
  return notFound(found.message, hint === "" ? undefined : hint);
}

interface NotFound extends Finding {
  readonly kind: "problem";
  /** Where a word is unknown. */
  readonly wrong?: WrongPath | undefined;
}

function notFound(message: string, hint?: string, wrong?: WrongPath): NotFound {
  return { kind: "problem", message, hint, wrong };
}

function lookUp(given: readonly string[], agentType: string | undefined): Field | NotFound {
  const path = given[0] === "agent" ? given.map((step, index) => (index === 1 ? (agentAliases.get(step) ?? step) : step)) : given;
  const [root = "", ...steps] = path;
  if (path.includes("")) return notFound("a name is missing beside a dot");
  if (path.includes("__proto__")) return notFound("'__proto__' cannot be the name of a field");
  if (!isSettingRoot(root)) return unknownRoot(path, root);
  if (steps.length === 0) return notFound(`'${root}' is a group of settings, expected one of its fields`, `for example ${examples[root]}`);

  let schemas: readonly Schema[] = objectsOfRoot(root, agentType);
  let checked: Pick<Field, "schemas" | "depth"> | undefined;
  for (const [index, step] of steps.entries()) {
    const arms = schemas.flatMap(armsOf);
    if (arms.some((arm) => arm instanceof z.ZodUnknown)) break;
    const objects = arms.filter((arm) => arm instanceof z.ZodObject);
    const records = arms.filter((arm) => arm instanceof z.ZodRecord);
    if (objects.length === 0 && records.length === 0) return noFields(path.slice(0, index + 1), arms);
    if (records.length > 0) checked ??= { schemas, depth: index + 1 };
    const children = objects.flatMap(({ shape }) => (Object.hasOwn(shape, step) ? (shape[step] ?? []) : []));
    schemas = [...new Set<Schema>([...children, ...records.map(({ valueType }) => valueType)])];
    if (schemas.length === 0) return unknownField(path, index + 1, objects, agentType);
  }
  return { kind: "field", root, path, ...(checked ?? { schemas, depth: path.length }) };
}

const examples: Readonly<Record<SettingRoot, string>> = {
  agent: "agent.model",
  run_limits: "run_limits.max_turns",
  sandbox: "sandbox.driver",
};

function unknownRoot(steps: readonly string[], root: string): NotFound {
  const wrong = { steps, index: 0, allowed: settingRoots };
  if (taskFieldNames.includes(root))
    return notFound(`'${root}' of a task cannot be set here, only fields of agent, run_limits and sandbox`);
  return notFound(`${quote(root)} is no group of settings, expected agent, run_limits or sandbox`, undefined, wrong);
}

function unknownField(steps: readonly string[], index: number, objects: readonly z.ZodObject[], agentType: string | undefined): NotFound {
  const step = steps[index] ?? "";
  const types = index === 1 && agentType !== undefined && steps[0] === "agent" ? agentTypesWith(step) : [];
  if (types.length > 0) return notFound(`'${step}' is a field of ${types.join(" and ")} agents, not of ${agentType} agents`);
  const allowed = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
  const message = `unknown field ${quote(step)} of ${steps.slice(0, index).join(".")}`;
  return notFound(message, `allowed: ${allowed.join(", ")}`, { steps, index, allowed });
}

function noFields(parent: readonly string[], arms: readonly Schema[]): NotFound {
  const at = parent.join(".");
  return arms.some((arm) => arm instanceof z.ZodArray)
    ? notFound(`${quote(at)} is a list and has no fields`, "give the whole list: [a, b]")
    : notFound(`${quote(at)} is a single value and has no fields`);
}
