import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative, sep } from "node:path";
import { type Env, posixPath } from "../expand-path.ts";
import type { ResolvedTask } from "../resolved-task.ts";

type TaskPlace = Pick<ResolvedTask, "taskDir" | "sourceYaml">;

/** Names files of the host so that another machine, with everything somewhere else, gives them the same names. */
export interface PathNames {
  /**
   * @param path absolute
   * @param written as a file names it
   */
  nameOf(path: string, written: string, task: TaskPlace): string;
  /** Whether it lies in the checkout of the task file, else in the working directory, or beside the task file: it is part of what is evaluated, and not of the machine. */
  isOwn(path: string, task: TaskPlace): boolean;
}

/**
 * In the checkout of the task's file: relative to its root, so that a run can be continued from any folder. Where there is no checkout, below
 * the working directory: relative to that. Elsewhere, and written with a variable or `~`: as written. Below what a variable of the
 * task's file is set to: by that variable. Else relative to the folder of the task file. POSIX separators everywhere.
 */
export function createPathNames(cwd: string, env: Env): PathNames {
  const variables = new Map<string, readonly Variable[]>();

  const variablesOf = (source: string): readonly Variable[] => {
    const known = variables.get(source);
    if (known !== undefined) return known;
    const found = variablesIn(source, env);
    variables.set(source, found);
    return found;
  };

  const checkouts = createCheckouts();

  return {
    nameOf(path, written, task) {
      const below = wayInto(checkouts(task.taskDir) ?? cwd, path);
      if (below !== undefined) return below;
      if (/^(?:\$|~(?=[/\\]|$))/.test(written)) return posix.normalize(written.replaceAll("\\", "/")).replace(/(?<=.)\/$/, "");
      for (const { name, value } of variablesOf(task.sourceYaml)) {
        const way = wayInto(value, path);
        if (way !== undefined) return way === "." ? `$${name}` : `$${name}/${way}`;
      }
      return posixPath(relative(task.taskDir, path)) || ".";
    },
    isOwn: (path, { taskDir }) => wayInto(checkouts(taskDir) ?? cwd, path) !== undefined || wayInto(taskDir, path) !== undefined,
  };
}

/** Finds the root of the checkout that a folder lies in. Each folder is looked at once. */
function createCheckouts(): (folder: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (folder: string): string | undefined => {
    if (known.has(folder)) return known.get(folder);
    const above = dirname(folder);
    // A folder, or a file in a worktree or submodule.
    const isRoot = existsSync(join(folder, ".git"));
    const root = isRoot ? folder : above === folder ? undefined : find(above);
    known.set(folder, root);
    return root;
  };
  return find;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Those that are set to a folder, the longest path first. */
function variablesIn(source: string, env: Env): Variable[] {
  if (!source.includes("$")) return [];
  const names = new Set([...source.matchAll(/\$\{?([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = ""]) => name));
  return [...names]
    .sort()
    .flatMap((name) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return value !== undefined && isAbsolute(value) ? [{ name, value }] : [];
    })
    .sort((left, right) => right.value.length - left.value.length);
}

/** The POSIX way from a folder to what lies in it, `.` for itself; undefined when it lies elsewhere. */
export function wayInto(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return undefined;
  return way === "" ? "." : posixPath(way);
}
