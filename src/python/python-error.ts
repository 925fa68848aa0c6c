/**
 * What Python would have raised, as a typed error: `message` is Python's own text, so that results carry the same
 * words as the original tool's. A checker turns these into the `error` of its criterion; they are never fatal.
 */
export class PythonError extends Error {
  /** Name of Python's exception class, e.g. `ValueError`. */
  readonly pythonType: string;
  /** What to do about it, where Python itself does not say. */
  readonly hint: string | undefined;
  constructor(pythonType: string, message: string, options: { readonly cause?: unknown; readonly hint?: string | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = pythonType;
    this.pythonType = pythonType;
    this.hint = options.hint;
  }
}

/** A pattern (or its flags) that Python refuses (`invalid`), or that only we refuse (`not supported`). */
export class PythonRegexError extends PythonError {
  readonly kind: "invalid" | "not supported";
  /** Code point of the pattern at which it went wrong; Python does not always say. */
  readonly position: number | undefined;
  constructor(
    message: string,
    options: {
      readonly kind?: "invalid" | "not supported";
      readonly position?: number | undefined;
      /** `re.error` unless Python raises another one, e.g. `ValueError` for flags that exclude each other. */
      readonly pythonType?: "re.error" | "ValueError" | "OverflowError" | "RecursionError";
      readonly hint?: string | undefined;
    } = {},
  ) {
    super(options.pythonType ?? "re.error", message, { hint: options.hint });
    this.kind = options.kind ?? "invalid";
    this.position = options.position;
  }
}

/** A search that was cut off: the pattern runs away on this text. */
export class RegexTimeoutError extends Error {
  readonly pattern: string;
  readonly limitMs: number;
  /** `time`, or `memory` when the pattern needs more room to backtrack than a search may have. */
  readonly limit: "time" | "memory";
  constructor(pattern: string, limitMs: number, limit: "time" | "memory" = "time") {
    const what = limit === "time" ? `took longer than ${limitMs / 1000} s` : "needed too much memory";
    super(`regular expression ${what} on this text`);
    this.name = "RegexTimeoutError";
    this.pattern = pattern;
    this.limitMs = limitMs;
    this.limit = limit;
  }
}
