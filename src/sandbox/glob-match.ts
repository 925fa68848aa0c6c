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

type Token = { readonly kind: "char"; readonly char: string } | { readonly kind: "one" } | { readonly kind: "many" } | SetToken;
interface SetToken {
  readonly kind: "set";
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}
type Part = { readonly kind: "directories" } | { readonly kind: "name"; readonly dotted: boolean; readonly tokens: readonly Token[] };

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

/** Python's `fnmatch.fnmatchcase`: `*` and `?` match any character, `/` and leading dots too. */
export function compileFnmatch(pattern: string): (text: string) => boolean {
  const tokens = tokenize(pattern);
  return (text) => matchTokens(tokens, [...text]);
}

function compilePart(part: string): Part {
  return part === "**" ? { kind: "directories" } : { kind: "name", dotted: part.startsWith("."), tokens: tokenize(part) };
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

function tokenize(pattern: string): Token[] {
  const characters = [...pattern];
  const tokens: Token[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const char = characters[index] ?? "";
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "many") tokens.push({ kind: "many" });
    } else if (char === "?") {
      tokens.push({ kind: "one" });
    } else if (char === "[") {
      const end = endOfSet(characters, index);
      if (end === -1) tokens.push({ kind: "char", char });
      else {
        tokens.push(parseSet(characters.slice(index + 1, end)));
        index = end;
      }
    } else {
      tokens.push({ kind: "char", char });
    }
  }
  return tokens;
}

/** A `]` right after `[` or `[!` is a member of the set; without a closing one the `[` is an ordinary character. */
function endOfSet(characters: readonly string[], start: number): number {
  let first = start + 1;
  if (characters[first] === "!") first += 1;
  return characters.indexOf("]", first + 1);
}

function parseSet(characters: readonly string[]): SetToken {
  const negated = characters[0] === "!";
  const members = (negated ? characters.slice(1) : characters).map((char) => char.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  const dash = 0x2d;
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index] ?? 0;
    const to = members[index + 2];
    if (members[index + 1] === dash && to !== undefined) {
      ranges.push([from, to]);
      index += 2;
    } else {
      ranges.push([from, from]);
    }
  }
  return { kind: "set", negated, ranges };
}

/** Goes back to the last `*` only: quadratic at worst, never exponential. */
function matchTokens(tokens: readonly Token[], text: readonly string[]): boolean {
  let token = 0;
  let position = 0;
  let lastMany = -1;
  let resumeAt = 0;
  while (position < text.length) {
    const current = tokens[token];
    if (current?.kind === "many") {
      lastMany = token;
      resumeAt = position;
      token += 1;
    } else if (current !== undefined && matchesOne(current, text[position] ?? "")) {
      token += 1;
      position += 1;
    } else if (lastMany >= 0) {
      resumeAt += 1;
      position = resumeAt;
      token = lastMany + 1;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "many") token += 1;
  return token === tokens.length;
}

function matchesOne(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind === "set") {
    const code = char.codePointAt(0) ?? 0;
    return token.ranges.some(([from, to]) => code >= from && code <= to) !== token.negated;
  }
  return true;
}
