import { matchTokens, type PatternToken, patternTokens } from "./fnmatch.ts";

/** Whether a path of a build context (relative, POSIX) stays out of a build; a folder that does may still hold what does not. */
export interface DockerIgnore {
  isIgnored(path: string): boolean;
  /** Exceptions (`!name`) can bring back what lies in an ignored folder. */
  readonly hasExceptions: boolean;
}

interface Rule {
  readonly isException: boolean;
  readonly parts: readonly ("any folders" | readonly PatternToken[])[];
}

/**
 * Reads a `.dockerignore` as the builder does: one pattern a line, `#` begins a comment, `*`, `?` and `[…]` stay in one part of a path, `**` is
 * any number of folders, `!` makes an exception, a pattern takes all that lies below what it matches, and the last one that matches decides.
 */
export function parseDockerIgnore(text: string): DockerIgnore {
  const rules = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap(ruleOf);
  return {
    isIgnored(path) {
      const names = path.split("/").map((name) => [...name]);
      let ignored = false;
      // A rule that would change nothing need not be looked at.
      for (const { isException, parts } of rules) if (isException === ignored && matchesBeginning(parts, names)) ignored = !isException;
      return ignored;
    },
    hasExceptions: rules.some(({ isException }) => isException),
  };
}

function ruleOf(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  const trimmed = line.trim();
  const isException = trimmed.startsWith("!");
  const names: string[] = [];
  for (const name of (isException ? trimmed.slice(1).trim() : trimmed).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  if (names.length === 0) return [];
  return [{ isException, parts: names.map((name) => (name === "**" ? "any folders" : patternTokens(asFnmatch(name)))) }];
}

/** The builder's patterns negate a set by `^`, and have an escape. */
function asFnmatch(name: string): string {
  return name.replace(/\\(.)|\[\^/gsu, (whole, escaped?: string) => {
    if (escaped === undefined) return whole === "[^" ? "[!" : whole;
    return /[*?[]/.test(escaped) ? `[${escaped}]` : escaped;
  });
}

/** Whether the pattern matches the path or a folder that it lies in. */
function matchesBeginning(parts: Rule["parts"], names: readonly (readonly string[])[]): boolean {
  let states = new Set([0]);
  for (const name of names) {
    const next = new Set<number>();
    for (const state of states) {
      for (let at = state; at < parts.length; at += 1) {
        const part = parts[at];
        if (part === "any folders") {
          next.add(at);
          continue;
        }
        if (part !== undefined && matchTokens(part, name)) next.add(at + 1);
        break;
      }
    }
    // `a/**` takes what lies below `a`, and not `a`; any other pattern takes all below what it matches.
    if (
      [...next].some(
        (state) => state === parts.length || (state === parts.length - 1 && parts[state] === "any folders" && states.has(state)),
      )
    )
      return true;
    states = next;
  }
  return false;
}
