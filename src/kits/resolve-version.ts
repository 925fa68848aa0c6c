import { EnvironmentError } from "../errors.ts";
import { quote } from "../plan/found-text.ts";
import type { KitRecipe } from "./kit-recipe.ts";
import type { NpmEnd } from "./npm.ts";
import { npmFailure } from "./npm-failure.ts";

const exact = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** Whether a version names one release, not a tag or a range. */
export function isExact(version: string): boolean {
  return exact.test(version);
}

/**
 * The release that a tag or range means just now.
 * @throws EnvironmentError as `npmFailure`, `kit-not-found` when nothing fits
 */
export async function resolveVersion(
  recipe: KitRecipe,
  wanted: string,
  view: (args: readonly string[]) => Promise<NpmEnd>,
): Promise<string> {
  const what = `find ${recipe.name} ${wanted} (${recipe.npmPackage}@${wanted})`;
  const end = await view(["view", `${recipe.npmPackage}@${wanted}`, "version", "--json"]);
  if (end.code !== 0) throw npmFailure(what, end);
  const version = lastVersion(end.stdout);
  if (version !== undefined && isExact(version)) return version;
  throw new EnvironmentError("kit-not-found", `could not ${what}: no release fits ${quote(wanted)}`, {
    hint: `see the releases: npm view ${recipe.npmPackage} versions dist-tags`,
  });
}

/** One version as a text, several of a range as a list, the newest last. */
function lastVersion(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === "string" ? last : undefined;
  } catch {
    return undefined;
  }
}
