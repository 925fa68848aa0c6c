import { createHash } from "node:crypto";
import { EnvironmentError } from "../errors.ts";
import { toJsonText } from "../results/json-text.ts";
import type { KitRecipe } from "./kit-recipe.ts";
import { nodeDependencies, nodeEntry, nodeKit, nodeVersion } from "./node-kit.ts";

/** Changes when kits are laid out in another way: old ones are then not taken for new ones. */
const layout = 1;

/** The `package.json` of a kit: one for all platforms, so that one lock is for all of them. */
export function kitManifest(recipe: KitRecipe, version: string): object {
  const isNode = recipe.npmPackage === nodeKit.npmPackage;
  const needsNode = isNode || recipe.runtime === "node";
  return {
    name: `evalbatch-kit-${recipe.name}`,
    version: "1.0.0",
    private: true,
    ...(isNode ? {} : { dependencies: { [recipe.npmPackage]: version } }),
    ...(needsNode ? { optionalDependencies: nodeDependencies(isNode ? version : nodeVersion) } : {}),
  };
}

/** Files of a kit that its launcher starts, relative to `node_modules/`. */
export interface KitPrograms {
  readonly entry: string;
  /** Undefined for a program that runs by itself. */
  readonly node: string | undefined;
}

/** @throws EnvironmentError `kit-platform` for a platform that the agent has no program for */
export function kitPrograms(recipe: KitRecipe, platform: string): KitPrograms {
  const entry = typeof recipe.entry === "string" ? recipe.entry : recipe.entry[platform];
  const node = recipe.runtime === "node" ? nodeEntry(platform) : undefined;
  const isKnown = nodeEntry(platform) !== undefined;
  if (entry !== undefined && isKnown) return { entry, node };
  throw new EnvironmentError("kit-platform", `there is no kit of ${recipe.name} for ${platform}`, {
    hint: "run tasks in containers on linux-x64 or linux-arm64, or bring the agent yourself and set agent-version: image",
  });
}

/** Digest of everything that makes a kit: the recipe, the platform, and the lock with the digests of all packages. */
export function kitDigest(recipe: KitRecipe, version: string, platform: string, lock: unknown): string {
  const parts = [layout, recipe.name, recipe.npmPackage, version, platform, kitPrograms(recipe, platform), lock];
  return createHash("sha256").update(toJsonText(parts)).digest("hex");
}

/** Length of the part of a digest that goes into names. */
export const shortDigestChars = 12;
