import { isObject } from "../results/any-object.ts";
import type { KitRecipe } from "./kit-recipe.ts";
import claudeCode from "./locks/claude-code.json" with { type: "json" };
import codex from "./locks/codex.json" with { type: "json" };
import copilot from "./locks/copilot.json" with { type: "json" };
import gemini from "./locks/gemini.json" with { type: "json" };
import node from "./locks/node.json" with { type: "json" };
import opencode from "./locks/opencode.json" with { type: "json" };
import pi from "./locks/pi.json" with { type: "json" };
import qwen from "./locks/qwen.json" with { type: "json" };
import { kitManifest } from "./manifest.ts";

/** Made by `scripts/kits.ts`; each has the digests of every package that its kit consists of. */
const locks: Readonly<Record<string, unknown>> = { "claude-code": claudeCode, codex, copilot, gemini, node, opencode, pi, qwen };

/** npm's lock of a kit, undefined when there is none of just these packages. */
export function lockOf(recipe: KitRecipe, version: string): unknown {
  const lock = Object.hasOwn(locks, recipe.name) ? locks[recipe.name] : undefined;
  return lock !== undefined && sameDependencies(lock, kitManifest(recipe, version)) ? lock : undefined;
}

function sameDependencies(lock: unknown, manifest: object): boolean {
  const packages = isObject(lock) && isObject(lock.packages) ? lock.packages : {};
  const root = packages[""];
  return isObject(root) && ["dependencies", "optionalDependencies"].every((key) => canonical(root, key) === canonical(manifest, key));
}

function canonical(holder: object, key: string): string {
  const value: unknown = Object.entries(holder).find(([name]) => name === key)?.[1];
  return JSON.stringify(isObject(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : []);
}
