import { compilePythonRegex, type PythonRegex, PythonRegexError } from "../../python/regex.ts";
import type { ToolCall } from "../criterion.ts";
import { type SearchTexts, searchTextsOf } from "./search-texts.ts";

/** Which calls are counted. */
export interface CallFilter {
  readonly tool_name: string | null;
  readonly command_pattern: string | null;
  readonly exclude_pattern: string | null;
}

export interface CompiledFilter {
  readonly toolName: string | null;
  readonly pattern: PythonRegex | undefined;
  readonly exclude: PythonRegex | undefined;
}

/** Python's `re.DOTALL`. */
const dotAll = 16;

/** The filter, or which of its patterns cannot be read and why. */
export function compileFilter(filter: CallFilter): CompiledFilter | { readonly field: string; readonly fault: string } {
  const compiled: { pattern?: PythonRegex; exclude?: PythonRegex } = {};
  for (const [name, field] of [
    ["pattern", "command_pattern"],
    ["exclude", "exclude_pattern"],
  ] as const) {
    const text = filter[field];
    if (text === null) continue;
    try {
      compiled[name] = compilePythonRegex(text, dotAll);
    } catch (error) {
      if (!(error instanceof PythonRegexError) || error.pythonType !== "re.error") throw error;
      return { field, fault: error.message };
    }
  }
  return { toolName: filter.tool_name, pattern: compiled.pattern, exclude: compiled.exclude };
}

/**
 * Whether tool and text of a call fit; its result is not asked. `yield`s what is to be searched where, and is told whether it was found,
 * so that a criterion can search in a thread and early stop at once. A call that counted in 0.8.2 counts; of the wider texts it counts
 * when one has the pattern and none has what excludes it.
 */
export function* fits(call: ToolCall, filter: CompiledFilter): Generator<Question, boolean, boolean> {
  if (filter.toolName !== null && call.tool_name !== filter.toolName) return false;
  const { pattern, exclude } = filter;
  if (pattern === undefined && exclude === undefined) return true;
  const texts = searchTextsOf(call);
  const excluded = exclude !== undefined && (yield { regex: exclude, text: texts.base });
  if (excluded) return false;
  if (pattern === undefined || (yield { regex: pattern, text: texts.base })) return true;
  return yield* fitsWider(texts, pattern, exclude);
}

export interface Question {
  readonly regex: PythonRegex;
  readonly text: string;
}

function* fitsWider(texts: SearchTexts, pattern: PythonRegex, exclude: PythonRegex | undefined): Generator<Question, boolean, boolean> {
  let found = false;
  for (const text of texts.wider) {
    found = yield { regex: pattern, text };
    if (found) break;
  }
  if (!found || exclude === undefined) return found;
  for (const text of texts.wider) if (yield { regex: exclude, text }) return false;
  return true;
}
