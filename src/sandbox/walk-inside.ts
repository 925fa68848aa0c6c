/** What stands at a path, links not followed. */
export type Seen<Info> =
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "directory"; readonly info: Info }
  | { readonly kind: "leaf"; readonly info: Info };

/** Where a path ends when links are followed as the kernel does, never leaving `root`. */
export type Walked<Info> =
  | { readonly kind: "found"; readonly path: string; readonly info: Info }
  /** `path` is where the last part would be, when only that is missing. */
  | { readonly kind: "missing"; readonly path: string | undefined }
  | { readonly kind: "outside" };

const maxLinks = 40;

/**
 * Walks `path` (relative to `root`, or absolute inside it) part by part, asking `look` about each. A part that leads above `root`, and a link
 * to an absolute place elsewhere, is `outside`, also where the target does not exist. `root` must be a real path. Not proof against a
 * process that swaps parts meanwhile: nothing of the task may run (`quiesce`).
 * @throws what `look` throws
 */
export async function walkInside<Info>(
  root: string,
  path: string,
  look: (path: string) => Promise<Seen<Info> | undefined>,
): Promise<Walked<Info>> {
  const first = path.includes("\0") ? [] : partsBelow(root, path);
  if (first === undefined) return { kind: "outside" };
  const top = path.includes("\0") ? undefined : await look(root);
  if (top === undefined || top.kind === "link") return { kind: "missing", path: undefined };
  let todo = first;
  /** The directories entered, each with its name, and at the end perhaps a leaf. */
  let here: readonly { readonly name: string; readonly seen: Exclude<Seen<Info>, { kind: "link" }> }[] = [];
  const pathOf = (names: readonly string[]) => [root, ...names].join("/");
  for (let links = 0; todo.length > 0; ) {
    const [part = "", ...rest] = todo;
    todo = rest;
    if (part === "" || part === ".") continue;
    if ((here.at(-1)?.seen ?? top).kind !== "directory") return { kind: "missing", path: undefined };
    if (part === "..") {
      if (here.length === 0) return { kind: "outside" };
      here = here.slice(0, -1);
      continue;
    }
    const next = pathOf([...here.map(({ name }) => name), part]);
    const seen = await look(next);
    if (seen === undefined) {
      return leavesRoot(here.length + 1, todo) ? { kind: "outside" } : { kind: "missing", path: todo.length === 0 ? next : undefined };
    }
    if (seen.kind !== "link") {
      here = [...here, { name: part, seen }];
      continue;
    }
    links += 1;
    if (links > maxLinks) return { kind: "missing", path: undefined };
    const below = seen.target.startsWith("/") ? partsBelow(root, seen.target) : seen.target.split("/");
    if (below === undefined) return { kind: "outside" };
    if (seen.target.startsWith("/")) here = [];
    todo = [...below, ...todo];
  }
  return { kind: "found", path: pathOf(here.map(({ name }) => name)), info: (here.at(-1)?.seen ?? top).info };
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
