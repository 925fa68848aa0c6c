import { homedir } from "node:os";
import { getAgent } from "../agents/registry.ts";
import { type AgentVersions, checkAgentVersions, noAgentVersions, versionFor } from "../kits/agent-versions.ts";
import { kitCacheDir } from "../kits/cache-dir.ts";
import { createKitProvider } from "../kits/kit-provider.ts";
import type { Kit } from "../kits/kit-recipe.ts";
import { nodeKit } from "../kits/node-kit.ts";
import { runNpm } from "../kits/npm.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { needsNode } from "../sandbox/cli-mocks/set-up-mocks.ts";
import type { SandboxDriver } from "../sandbox/sandbox.ts";
import type { Run } from "./run-context.ts";

/** Gives what a task's sandbox needs. @throws EnvironmentError when it cannot be fetched, the same for all tasks that need it */
export type KitsOfTask = (task: ResolvedTask, driver: SandboxDriver) => Promise<readonly Kit[]>;

/** @throws InputError when one version is given for agents of several types: before anything is made */
export function checkVersionsOf(tasks: readonly ResolvedTask[], versions: AgentVersions | undefined): void {
  if (versions === undefined) return;
  checkAgentVersions(
    versions,
    tasks.map(({ task }) => task.agent.type ?? "none"),
  );
}

/** What a run is to be known by later: `agent <name>` and the version that is asked for, for each agent of its tasks. */
export function agentVersionsOf(tasks: readonly ResolvedTask[], versions: AgentVersions = noAgentVersions): Record<string, string> {
  const facts = new Map<string, string>();
  for (const { task } of tasks) {
    const recipe = getAgent(task.agent.type ?? "none").cli?.kit;
    if (recipe !== undefined) facts.set(`agent ${recipe.name}`, versionFor(versions, recipe.name) ?? recipe.version);
  }
  return Object.fromEntries([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The programs of a run's agents, each fetched once. */
export function createRunKits({ options, deps }: Pick<Run, "options" | "deps">): KitsOfTask {
  const kits = createKitProvider({
    versions: options.agentVersions ?? noAgentVersions,
    cacheDir: kitCacheDir(options.env, homedir()),
    env: options.env,
    log: (line) => deps.progress.notice(line),
    signal: deps.signal,
    run: runNpm,
  });
  return async ({ task }, driver) => {
    const agent = getAgent(task.agent.type ?? "none").cli?.kit;
    // On this machine the stand-ins have our own Node.
    const recipes = [...(agent === undefined ? [] : [agent]), ...(driver.kind === "docker" && needsNode(task.sandbox) ? [nodeKit] : [])];
    const platform = driver.platform ?? `${process.platform}-${process.arch}`;
    const found = await Promise.all(recipes.map((recipe) => kits.kitFor(recipe, platform)));
    return found.filter((kit) => kit !== undefined);
  };
}
