import { matchTokens, type PatternToken, patternTokens } from "../plan/files/fnmatch.ts";

/**
 * Which paths of a sandbox a glob means, as Python's `glob.glob(pattern, recursive=True)` does: `*` and `?` stay inside one part, `**` as a
 * whole part stands for any number of directories, `[…]` and `[!…]` are sets, a name with a leading dot needs a pattern part with one, a `/` at the end means directories.
 * There is no escape character but a set (`[*]`). Matching is linear in text and pattern: no expression of a task can run away.
 */
export interface GlobMatcher {
  /** `path` is relative, POSIX, without `.` and `..`. */
  readonly matches: (path: string, isDirectory: boolean) => boolean;
  /** Whether anything below this directory could match: lets a walker skip the rest. `""` is the top. */
  readonly mayMatchBelow: (directory: string) => boolean;
}

type Part =
  | { readonly kind: "directories" }
  | { readonly kind: "name"; readonly dotted: boolean; readonly tokens: readonly PatternToken[] };

/** Whether the text has any of the characters that make it a pattern. */
export function hasGlobMagic(text: string): boolean {
  return /[*?[]/.test(text);
}

/** Compiles a pattern; `./` at the start and doubled slashes mean nothing, a pattern with `..` or an absolute one matches nothing. */
export function compileGlob(pattern: string): GlobMatcher {
  const written = pattern.split("/").filter((part) => part !== "" && part !== ".");
  if (pattern.startsWith("/") || written.includes("..") || written.length === 0) {
    return { matches: () => false, mayMatchBelow: () => false };
  }
  const parts = written.map(compilePart);
  const directoriesOnly = pattern.endsWith("/");
  return {
    matches: (path, isDirectory) => (isDirectory || !directoriesOnly) && reach(parts, path.split("/")).has(parts.length),
    mayMatchBelow: (directory) => {
      const states = reach(parts, directory === "" ? [] : directory.split("/"));
      states.delete(parts.length);
      return states.size > 0;
    },
  };
}

function compilePart(part: string): Part {
  return part === "**" ? { kind: "directories" } : { kind: "name", dotted: part.startsWith("."), tokens: patternTokens(part) };
}

/** The positions in `parts` that can be reached after all of `names`; a set, so that several `**` do not multiply the work. */
function reach(parts: readonly Part[], names: readonly string[]): Set<number> {
  let states = skipDirectories(parts, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    const characters = [...name];
    for (const state of states) {
      const part = parts[state];
      if (part === undefined) continue;
      if (part.kind === "directories") {
        if (!name.startsWith(".")) next.add(state);
      } else if ((part.dotted || !name.startsWith(".")) && matchTokens(part.tokens, characters)) {
        next.add(state + 1);
      }
    }
    states = skipDirectories(parts, next);
    if (states.size === 0) break;
  }
  return states;
}

function skipDirectories(parts: readonly Part[], states: Set<number>): Set<number> {
  for (const state of states) {
    if (parts[state]?.kind === "directories") states.add(state + 1);
  }
  return states;
}
