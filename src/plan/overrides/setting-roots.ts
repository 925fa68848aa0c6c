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

interface Level {
  readonly path: string;
  readonly objects: readonly z.ZodObject[];
}

/** Every mapping with named fields, such as `sandbox.docker`, and their names; those near the root come first. */
export function settingPlaces(): readonly { readonly path: string; readonly names: readonly string[] }[] {
  let level = settingRoots.map((root): Level => ({ path: root, objects: objectsOfRoot(root, undefined) }));
  const places: { path: string; names: string[] }[] = [];
  while (level.length > 0) {
    for (const { path, objects } of level)
      places.push({ path, names: [...new Set(objects.flatMap((object) => Object.keys(object.shape)))] });
    level = level.flatMap(({ path, objects }) =>
      objects.flatMap((object) =>
        Object.entries(object.shape).flatMap(([name, schema]) => {
          const inner = armsOf(schema).filter((arm) => arm instanceof z.ZodObject);
          return inner.length > 0 ? [{ path: `${path}.${name}`, objects: inner }] : [];
        }),
      ),
    );
  }
  return places;
}
