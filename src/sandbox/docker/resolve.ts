import { type ArchiveStat, readLink, statPath } from "./archive.ts";
import type { TaskContainer } from "./container.ts";

/** Where a path ends when links are followed as the kernel does, never leaving `root`. */
export type Resolved =
  | { readonly kind: "found"; readonly path: string; readonly stat: ArchiveStat }
  /** `path` is where the last part would be, when only that is missing. */
  | { readonly kind: "missing"; readonly path: string | undefined }
  | { readonly kind: "outside" };

const maxLinks = 40;

/**
 * Walks `path` (relative to `root`, or absolute inside it) part by part, by questions to the engine: nothing inside is run or trusted.
 * A part that leads above `root`, and a link to an absolute place elsewhere, is `outside`. `root` must be a real path.
 */
export async function resolveInContainer(container: TaskContainer, root: string, path: string): Promise<Resolved> {
  if (path.includes("\0")) return { kind: "missing", path: undefined };
  const first = partsBelow(root, path);
  if (first === undefined) return { kind: "outside" };
  let todo = first;
  let here: string[] = [];
  let links = 0;
  const top: ArchiveStat = { kind: "directory", size: 0, mode: 0o755 };
  const stats: ArchiveStat[] = [];
  while (todo.length > 0) {
    const [part = "", ...rest] = todo;
    todo = rest;
    if (part === "" || part === ".") continue;
    if ((stats.at(-1) ?? top).kind !== "directory") return { kind: "missing", path: undefined };
    if (part === "..") {
      if (here.length === 0) return { kind: "outside" };
      here = here.slice(0, -1);
      stats.pop();
      continue;
    }
    const next = [root, ...here, part].join("/");
    const stat = await statPath(container, next);
    if (stat === undefined) {
      return leavesRoot(here.length + 1, todo) ? { kind: "outside" } : { kind: "missing", path: todo.length === 0 ? next : undefined };
    }
    if (stat.kind === "link") {
      links += 1;
      if (links > maxLinks) return { kind: "missing", path: undefined };
      const target = (await readLink(container, next)) ?? "";
      const below = target.startsWith("/") ? partsBelow(root, target) : target.split("/");
      if (below === undefined) return { kind: "outside" };
      if (target.startsWith("/")) {
        here = [];
        stats.length = 0;
      }
      todo = [...below, ...todo];
      continue;
    }
    here = [...here, part];
    stats.push(stat);
  }
  return { kind: "found", path: [root, ...here].join("/"), stat: stats.at(-1) ?? top };
}

function partsBelow(root: string, path: string): string[] | undefined {
  if (!path.startsWith("/")) return path.split("/");
  if (path === root) return [];
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1).split("/") : undefined;
}

/** `nothing/../../../etc`: missing for the kernel, but plainly meant to lead out. */
function leavesRoot(depth: number, rest: readonly string[]): boolean {
  let level = depth;
  for (const part of rest) {
    if (part === "..") level -= 1;
    else if (part !== "" && part !== ".") level += 1;
    if (level < 0) return true;
  }
  return false;
}
