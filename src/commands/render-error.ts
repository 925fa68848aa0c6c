import { EnvironmentError, InputError, InternalError } from "../errors.ts";
import { escapeInvisible } from "../plan/found-text.ts";
import { renderIssues } from "../plan/render-issues.ts";

/** Any error as a person reads it: what happened and what to do. A stack trace only for what may be a bug of ours. */
export function renderError(error: unknown): string {
  // Not by its class: Node 22 has none, and the compiled `await using` brings its own.
  if (error instanceof Error && error.name === "SuppressedError" && "error" in error) return renderError(error.error);
  if (error instanceof InputError)
    return `${renderIssues(error.issues, error.lineOf)}${hintLine(error.hint === undefined ? undefined : escapeInvisible(error.hint))}\n`;
  if (error instanceof EnvironmentError || (error instanceof Error && "hint" in error && !(error instanceof InternalError))) {
    return `error: ${error.message}${hintLine("hint" in error ? error.hint : undefined)}\n`;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `internal error: ${trace}\nThis is a bug of evalbatch; please report it with the lines above.\n`;
}

/** Of an error as a whole; those of its findings are told with them. */
function hintLine(hint: unknown): string {
  return typeof hint === "string" ? `\n  hint: ${hint}` : "";
}
