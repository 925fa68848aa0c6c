import type { Issue } from "../errors.ts";
import type { Redactor } from "../untrusted/redact.ts";

/** A finding without secrets: it quotes what stands in a file or an input, where a key may be one as well. */
export function redactIssue(issue: Issue, redactor: Redactor): Issue {
  const clean = (found: string): string => redactor.redact(found).text;
  return {
    ...issue,
    message: clean(issue.message),
    field: issue.field === undefined ? undefined : clean(issue.field),
    hint: issue.hint === undefined ? undefined : clean(issue.hint),
  };
}
