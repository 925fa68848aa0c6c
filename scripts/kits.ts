// `node scripts/kits.ts [NAME…]`: writes src/kits/locks/<name>.json, the lock of each agent's kit at the version of its recipe: every package
// with its digest, Node among them, for all platforms. To be run after a change of a recipe or of Node's version; needs the npm registry.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KitRecipe } from "../src/kits/kit-recipe.ts";
import { kitManifest, kitPrograms } from "../src/kits/manifest.ts";
import { nodeKit } from "../src/kits/node-kit.ts";
import { agentRecipes } from "./kits/recipes.ts";
import { tidyLock } from "./kits/tidy-lock.ts";

const root = join(import.meta.dirname, "..");
const platforms = ["linux-x64", "linux-arm64"];

function lock(recipe: KitRecipe): unknown {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-lock-"));
  try {
    writeFileSync(join(directory, "package.json"), JSON.stringify(kitManifest(recipe, recipe.version)));
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved=false", "--install-strategy=hoisted"];
    const { status, stderr } = spawnSync("npm", ["install", "--package-lock-only", ...flags], { cwd: directory, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm ended with ${status} for ${recipe.name}\n${stderr}`);
    return tidyLock(readFileSync(join(directory, "package-lock.json"), "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const wanted = process.argv.slice(2);
for (const recipe of [nodeKit, ...(await agentRecipes(root))]) {
  if (wanted.length > 0 && !wanted.includes(recipe.name)) continue;
  const text = `${JSON.stringify(lock(recipe), null, 2)}\n`;
  for (const platform of platforms) {
    const { entry } = kitPrograms(recipe, platform);
    const name = entry
      .split("/")
      .slice(0, entry.startsWith("@") ? 2 : 1)
      .join("/");
    if (!text.includes(`"node_modules/${name}"`)) process.stdout.write(`warning: ${recipe.name}: no ${name}, so no kit for ${platform}\n`);
  }
  const path = `src/kits/locks/${recipe.name}.json`;
  writeFileSync(join(root, path), text);
  spawnSync(join(root, "node_modules/.bin/biome"), ["format", "--write", path], { cwd: root });
  process.stdout.write(`${path}: ${recipe.npmPackage} ${recipe.version}, ${Math.ceil(text.length / 1024)} KiB\n`);
}
