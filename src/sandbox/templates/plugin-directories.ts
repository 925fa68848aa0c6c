import { statSync } from "node:fs";
import { posix } from "node:path";
import type { Sandbox } from "../sandbox.ts";
import { putCappedTree } from "./capped-tree.ts";
import { createIgnore } from "./ignore-list.ts";

export interface PluginDirectoriesOptions {
  /** `agent.ignore_patterns`: parts of a plugin's tree that stay behind. */
  readonly ignorePatterns: readonly string[];
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The directories that a task offers its agent: themselves on the host, copies in a container. One that is not there is left out with a line
 * in the log, as the plan has warned. Gives their paths inside the sandbox.
 * @throws SandboxSetupError `template_copy_error`, SandboxLostError, or the signal's reason
 */
export async function providePluginDirs(sandbox: Sandbox, paths: readonly string[], options: PluginDirectoriesOptions): Promise<string[]> {
  const there: string[] = [];
  for (const [index, path] of paths.entries()) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      options.log(`plugin ${path}: no such directory; the agent runs without it`);
      continue;
    }
    if (sandbox.driver === "tempdir") {
      there.push(path);
      continue;
    }
    // The name of a plugin is that of its directory, where its manifest gives none.
    const target = posix.join(sandbox.supportDir, "plugins", String(index), posix.basename(path.replaceAll("\\", "/")));
    await putCappedTree(sandbox, path, {
      name: `plugin ${path}`,
      target,
      isIgnored: createIgnore(options.ignorePatterns),
      hint: "name a directory with only the plugin, or set agent.ignore_patterns",
      log: options.log,
      signal: options.signal,
    });
    there.push(target);
  }
  return there;
}
