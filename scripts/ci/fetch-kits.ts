// `node scripts/ci/fetch-kits.ts [TYPE…]`: brings the kits of the agents, or of these, into the cache, so that no test waits for them.
import { homedir } from "node:os";
import { agentTypes, getAgent } from "../../src/agents/registry.ts";
import { noAgentVersions } from "../../src/kits/agent-versions.ts";
import { kitCacheDir } from "../../src/kits/cache-dir.ts";
import { createKitProvider } from "../../src/kits/kit-provider.ts";
import { runNpm } from "../../src/kits/npm.ts";

const provider = createKitProvider({
  versions: noAgentVersions,
  cacheDir: kitCacheDir(process.env, homedir()),
  env: process.env,
  log: (line) => process.stdout.write(`${line}\n`),
  signal: new AbortController().signal,
  run: runNpm,
});
const types = process.argv.length > 2 ? process.argv.slice(2) : agentTypes;
const recipes = new Map(types.flatMap((type) => getAgent(type).cli?.kit ?? []).map((recipe) => [recipe.name, recipe]));
const kits = await Promise.all([...recipes.values()].map((recipe) => provider.kitFor(recipe, `linux-${process.arch}`)));
for (const kit of kits) if (kit !== undefined) process.stdout.write(`${kit.name} ${kit.version} ${kit.directory}\n`);
