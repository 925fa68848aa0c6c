import { InternalError } from "../errors.ts";
import { once } from "./once.ts";
import { compileTree } from "./regex-compiler.ts";
import { parsePattern } from "./regex-parser.ts";
import type { Program } from "./regex-program.ts";
import type { Spans } from "./regex-search.ts";
import { RegexSearcher } from "./regex-worker.ts";

export { PythonRegexError, RegexTimeoutError } from "./python-error.ts";

/** A compiled pattern. Made by `compilePythonRegex` only; can be searched with any number of times, also at once. */
export interface PythonRegex {
  readonly pattern: string;
  /** With inline flags and the implied UNICODE (32), as Python's `Pattern.flags`. */
  readonly flags: number;
  /** Number of capture groups. */
  readonly groups: number;
  /** Group number by name. */
  readonly groupIndex: Readonly<Record<string, number>>;
  /** Python's warnings about the pattern, e.g. `FutureWarning: Possible nested set at position 1`. */
  readonly warnings: readonly string[];
}

export interface RegexMatch {
  readonly text: string;
  /** Code points, not UTF-16 units. */
  readonly index: { readonly start: number; readonly end: number };
  /** Groups 1, 2, …; a group that took no part is undefined. */
  readonly groups: readonly (string | undefined)[];
  readonly namedGroups: Readonly<Record<string, string | undefined>>;
}

export interface RegexSearchOptions {
  /** Default 1000. Counts from the moment the search starts, not from the call. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compiles a pattern as Python 3.13's `re.compile(pattern, flags)` does.
 * @param flags Python's numbers: I=2, L=4, M=8, S=16, U=32, X=64, A=256
 * @throws PythonRegexError with Python's message
 */
export function compilePythonRegex(pattern: string, flags: number): PythonRegex {
  const tree = parsePattern(pattern, flags);
  const regex: PythonRegex = {
    pattern,
    flags: tree.flags,
    groups: tree.groups,
    groupIndex: Object.fromEntries(tree.groupIndex),
    warnings: tree.warnings,
  };
  programs.set(regex, compileTree(tree));
  return regex;
}

/**
 * Python's `re.search`, in a worker thread: the first match, or undefined.
 * @throws RegexTimeoutError when the pattern runs away; the signal's reason when aborted
 */
export async function searchPythonRegex(
  regex: PythonRegex,
  subject: string,
  options: RegexSearchOptions = {},
): Promise<RegexMatch | undefined> {
  const program = programOf(regex);
  const { timeoutMs = 1000, signal } = options;
  const spans = await searcher().search({ program, pattern: regex.pattern, subject, timeoutMs, signal });
  return spans === undefined ? undefined : toMatch(regex, subject, spans);
}

/** The program of a compiled pattern, for the other ways to use one. */
export function programOf(regex: PythonRegex): Program {
  const program = programs.get(regex);
  if (program === undefined) throw new InternalError("not a compiled regular expression");
  return program;
}

/** The programs stay out of the public object: nobody else needs them, and they print badly. */
const programs = new WeakMap<PythonRegex, Program>();

/** One thread for the whole process: searches are short, and a batch has few criteria at work at a time. */
const searcher = once(() => new RegexSearcher());

function toMatch(regex: PythonRegex, subject: string, spans: Spans): RegexMatch {
  const textOf = (group: number): string | undefined => {
    const from = spans.units[group * 2] ?? -1;
    const to = spans.units[group * 2 + 1] ?? -1;
    return from < 0 || to < from ? undefined : subject.slice(from, to);
  };
  const named = Object.entries(regex.groupIndex).map(([name, group]) => [name, textOf(group)] as const);
  return {
    text: textOf(0) ?? "",
    index: { start: spans.codePoints[0] ?? 0, end: spans.codePoints[1] ?? 0 },
    groups: Array.from({ length: regex.groups }, (_, i) => textOf(i + 1)),
    namedGroups: Object.fromEntries(named),
  };
}
