import { z } from "zod";
import { didYouMean } from "../did-you-mean.ts";
import { quote } from "../found-text.ts";
import { armsOf } from "../schema/schema-keys.ts";
import { taskFieldNames } from "../schema/task-schema.ts";
import { agentTypesWith, isSettingRoot, objectsOfRoot, type SettingRoot, settingPlaces, settingRoots } from "./setting-roots.ts";

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

/** Another name of a field in an agent block (formats.md 1.3). */
const agentAliases: ReadonlyMap<string, string> = new Map([["additional_ignore_patterns", "ignore_patterns"]]);

/**
 * The field that a dotted path names, or why there is none: with what may have been meant.
 * @param agentType where it is known; else the fields of all types count
 */
export function findField(text: string, agentType: string | undefined): Field | ({ readonly kind: "problem" } & Finding) {
  const [root = "", ...given] = text.split(".");
  const problem = (message: string, hint?: string) => ({ kind: "problem", message, hint }) as const;
  if (!isSettingRoot(root)) return { kind: "problem", ...unknownRoot(root, given) };
  if (given.length === 0) return problem(`${quote(root)} is a group of settings, expected one of its fields`, rootHint(root));
  const steps = root === "agent" ? [agentAliases.get(given[0] ?? "") ?? given[0] ?? "", ...given.slice(1)] : given;
  if (steps.includes("")) return problem("a name is missing beside a dot");
  if (steps.includes("__proto__")) return problem("'__proto__' cannot be the name of a field");

  let schemas: readonly Schema[] = objectsOfRoot(root, agentType);
  let checked: Pick<Field, "schemas" | "depth"> | undefined;
  for (const [index, step] of steps.entries()) {
    const arms = schemas.flatMap(armsOf);
    if (arms.some((arm) => arm instanceof z.ZodUnknown)) break;
    const objects = arms.filter((arm) => arm instanceof z.ZodObject);
    const records = arms.filter((arm) => arm instanceof z.ZodRecord);
    const parent = [root, ...steps.slice(0, index)];
    if (objects.length === 0 && records.length === 0) return { kind: "problem", ...noFields(parent, arms) };
    if (records.length > 0) checked ??= { schemas, depth: parent.length };
    const children = objects.flatMap(({ shape }) => (Object.hasOwn(shape, step) ? (shape[step] ?? []) : []));
    schemas = [...new Set<Schema>([...children, ...records.map(({ valueType }) => valueType)])];
    if (schemas.length === 0) return { kind: "problem", ...unknownField(parent, step, objects, steps.slice(index + 1), agentType) };
  }
  const path = [root, ...steps];
  return { kind: "field", root, path, ...(checked ?? { schemas, depth: path.length }) };
}

function rootHint(root: string): string {
  const [example] = { agent: ["model"], run_limits: ["max_turns"], sandbox: ["driver"] }[root] ?? [];
  return `for example ${root}.${example ?? ""}`;
}

function unknownRoot(root: string, rest: readonly string[]): Finding {
  const expected = `expected ${settingRoots.slice(0, -1).join(", ")} or ${settingRoots.at(-1)}`;
  if (root === "") return { message: "a name is missing beside a dot" };
  if (root === "repeats")
    return { message: `'repeats' is no setting of this kind, ${expected}`, hint: "it has a flag of its own: repeats" };
  const meant = meantPath(root, rest);
  const hint = meant === undefined ? undefined : `did you mean '${meant}'?`;
  if (meant === undefined && taskFieldNames.includes(root))
    return { message: `'${root}' cannot be overridden, only ${settingRoots.join(", ")}` };
  return { message: `${quote(root)} is no group of settings, ${expected}`, hint };
}

function unknownField(
  parent: readonly string[],
  step: string,
  objects: readonly z.ZodObject[],
  rest: readonly string[],
  agentType: string | undefined,
): Finding {
  const at = parent.join(".");
  const allowed = [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
  const types = parent.length === 1 && agentType !== undefined ? agentTypesWith(step) : [];
  if (types.length > 0)
    return { message: `${quote(step)} is a field of agents of type ${types.join(", ")}, not of ${quote(agentType ?? "")}` };
  const near = didYouMean(step, allowed);
  const meant = near === undefined ? exactPlace(step, rest) : [at, near, ...rest].join(".");
  const list = `allowed: ${allowed.join(", ")}`;
  return {
    message: `unknown field ${quote(step)} of ${at}`,
    hint: meant === undefined ? list : `did you mean '${meant}'? ${list}`,
  };
}

function noFields(parent: readonly string[], arms: readonly Schema[]): Finding {
  const isList = arms.some((arm) => arm instanceof z.ZodArray);
  const at = parent.join(".");
  return {
    message: `${quote(at)} is ${isList ? "a list" : "a single value"} and has no fields`,
    hint: isList ? `give the whole list: ${at}=[…]` : undefined,
  };
}

/** A path for a first word that is no root: a field whose group was left out, or a mistyped word. */
function meantPath(first: string, rest: readonly string[]): string | undefined {
  const exact = exactPlace(first, rest);
  if (exact !== undefined) return exact;
  const root = didYouMean(first, settingRoots);
  if (root !== undefined && rest.length > 0) return [root, ...rest].join(".");
  const name = didYouMean(
    first,
    settingPlaces().flatMap(({ names }) => names),
  );
  return name === undefined ? undefined : exactPlace(name, rest);
}

/** Where a field of exactly this name is, nearest to the roots. */
function exactPlace(name: string, rest: readonly string[]): string | undefined {
  const place = settingPlaces().find(({ names }) => names.includes(name));
  return place === undefined ? undefined : [place.path, name, ...rest].join(".");
}
