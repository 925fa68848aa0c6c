import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { KitRecipe } from "../../src/kits/kit-recipe.ts";

/** The recipe of every agent that there is an adapter of, sorted by name. */
export async function agentRecipes(root: string): Promise<KitRecipe[]> {
  const folder = join(root, "src/agents/cli");
  const recipes = new Map<string, KitRecipe>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".ts")) continue;
    const exported: object = await import(join(folder, file));
    for (const value of Object.values(exported)) {
      const recipe: unknown = isHolder(value) ? value.kit : undefined;
      if (isRecipe(recipe)) recipes.set(recipe.name, recipe);
    }
  }
  return [...recipes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isHolder(value: unknown): value is { kit: unknown } {
  return typeof value === "object" && value !== null && "kit" in value;
}

function isRecipe(value: unknown): value is KitRecipe {
  return typeof value === "object" && value !== null && "npmPackage" in value && "entry" in value && "version" in value;
}
