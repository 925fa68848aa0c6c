import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type DockerIgnore, parseDockerIgnore } from "../files/docker-ignore.ts";
import { compileFnmatch } from "../files/fnmatch.ts";
import { createTemplateIgnore, isLeftBehind } from "../files/ignored-names.ts";
import type { TreeEntry } from "../files/list-tree.ts";
import type { UseOf } from "./host-uses.ts";

/** What of a folder takes part. */
export interface TreeFilter {
  /** Equal for filters that ignore the same. */
  readonly key: string;
  readonly isIgnored: (name: string, path: string, kind: "file" | "folder" | "link") => boolean;
  /** Of what is not ignored. */
  readonly isIncluded?: ((entry: TreeEntry) => boolean) | undefined;
  /** Files of tasks are left out: they say what is asked, and each task's own is stamped field by field. */
  readonly withoutTasks: boolean;
}

/** The filter of a folder that is used in such a way. `root` is where the folder really is. */
export async function filterOf(use: UseOf, root: string): Promise<TreeFilter> {
  if (use.as === "template") {
    const isIgnored = createTemplateIgnore(use.ignored);
    const patterns = use.included.map(compileFnmatch);
    const isIncluded = patterns.length === 0 ? undefined : ({ path }: TreeEntry) => patterns.some((matches) => matches(path));
    return { key: JSON.stringify(["template", [...use.ignored].sort()]), isIgnored, isIncluded, withoutTasks: false };
  }
  if (use.as === "build context") {
    const docker = await dockerIgnoreOf(root, use.dockerfile);
    if (docker !== undefined) {
      const isIgnored: TreeFilter["isIgnored"] = (name, path, kind) => {
        if (isLeftBehind(name)) return true;
        return (kind !== "folder" || !docker.hasExceptions) && docker.isIgnored(path);
      };
      return { key: JSON.stringify(["build context", basename(use.dockerfile)]), isIgnored, withoutTasks: false };
    }
  }
  return { key: "", isIgnored: (name) => isLeftBehind(name), withoutTasks: use.as === "task folder" };
}

/** BuildKit takes the one that is named after the Dockerfile before that of the context. */
async function dockerIgnoreOf(context: string, dockerfile: string): Promise<DockerIgnore | undefined> {
  for (const path of [`${dockerfile}.dockerignore`, join(context, ".dockerignore")]) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) return parseDockerIgnore(text);
  }
  return undefined;
}
