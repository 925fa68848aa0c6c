import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Commands } from "./commands.ts";

export interface AnnotateDeps {
  readonly commands: Commands;
  /** Absolute. */
  readonly workspace: string;
  /** Absolute; paths of task files are relative to it. */
  readonly cwd: string;
}

/** A task file as a path below the workspace, links followed on both sides; undefined when it lies elsewhere or is gone. */
export function fileIn(name: string, { workspace, cwd }: Pick<AnnotateDeps, "workspace" | "cwd">): string | undefined {
  try {
    const inside = relative(realpathSync(workspace), realpathSync(resolve(cwd, name)));
    if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
    return resolve(workspace, inside);
  } catch {
    return undefined;
  }
}
