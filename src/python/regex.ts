import { InternalError } from "../errors.ts";

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
export function compilePythonRegex(_pattern: string, _flags: number): PythonRegex {
  throw new InternalError("not built yet");
}

/**
 * Python's `re.search`, in a worker thread: the first match, or undefined.
 * @throws RegexTimeoutError when the pattern runs away; the signal's reason when aborted
 */
export function searchPythonRegex(
  _regex: PythonRegex,
  _subject: string,
  _options: RegexSearchOptions = {},
): Promise<RegexMatch | undefined> {
  return Promise.reject(new InternalError("not built yet"));
}
