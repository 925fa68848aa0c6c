import { z } from "zod";
import { agentSchema } from "../schema/agent-schema.ts";
import { runLimitsSchema } from "../schema/run-limits-schema.ts";
import { sandboxSchema } from "../schema/sandbox-schema.ts";
import { armsOf, objectsAt } from "../schema/schema-keys.ts";

export const settingRoots = ["agent", "run_limits", "sandbox"] as const;
export type SettingRoot = (typeof settingRoots)[number];

export function isSettingRoot(word: string): word is SettingRoot {
  return settingRoots.some((root) => root === word);
}

const schemas = { agent: agentSchema, run_limits: runLimitsSchema, sandbox: sandboxSchema };

/** The mappings that a root may be; of an agent that of its type, where the type is known. */
export function objectsOfRoot(root: SettingRoot, agentType: string | undefined): readonly z.ZodObject[] {
  return objectsAt(schemas[root], [], agentType === undefined || root !== "agent" ? {} : { type: agentType });
}

/** Agent types that have a field, for the one who set it on another. */
export function agentTypesWith(field: string): string[] {
  const arms = objectsOfRoot("agent", undefined).filter((object) => Object.hasOwn(object.shape, field));
  return arms.flatMap((object) => {
    const type = object.shape.type;
    return type instanceof z.ZodLiteral ? [...type.values].map(String) : [];
  });
}

/** A mapping with named fields, such as `sandbox.docker`. */
export interface SettingPlace {
  readonly path: readonly string[];
  readonly names: readonly string[];
}

interface Level {
  readonly path: readonly string[];
  readonly objects: readonly z.ZodObject[];
}

/** Every mapping with named fields; those near the roots come first. */
export function settingPlaces(): readonly SettingPlace[] {
  const places: SettingPlace[] = [];
  let level = settingRoots.map((root): Level => ({ path: [root], objects: objectsOfRoot(root, undefined) }));
  while (level.length > 0) {
    for (const { path, objects } of level) places.push({ path, names: objects.flatMap(({ shape }) => Object.keys(shape)) });
    level = level.flatMap(({ path, objects }) => objects.flatMap(({ shape }) => Object.entries(shape)).flatMap(below(path)));
  }
  return places;
}

function below(path: readonly string[]): (field: [string, z.core.$ZodType]) => Level[] {
  return ([name, schema]) => {
    const objects = armsOf(schema).filter((arm) => arm instanceof z.ZodObject);
    return objects.length > 0 ? [{ path: [...path, name], objects }] : [];
  };
}
