import type { Issue } from "../errors.ts";
import { type FoldedIssue, foldIssues } from "../plan/fold-issues.ts";
import { plural } from "../report/number-text.ts";
import { type AnnotateDeps, fileIn } from "./annotation-place.ts";
import type { AnnotationPlace } from "./commands.ts";

/** GitHub keeps ten annotations of a kind for each step and drops later ones without a word. */
const shownOfAKind = 10;
const title = "evalbatch";

/**
 * Marks why nothing was run: problems of the user's files and inputs, what many files share once. The first nine errors and as many
 * warnings, each with how many more there are.
 */
export function annotateIssues(issues: readonly Issue[], deps: AnnotateDeps): void {
  const folded = foldIssues(issues);
  const { error: errors = [], warning: warnings = [] } = Object.groupBy(folded, ({ issue }) => issue.severity);
  annotate(errors, shownOfAKind, "problem", deps, deps.commands.error);
  annotateWarnings(warnings, shownOfAKind, deps);
}

/** @param most annotations, the one that counts the rest included */
export function annotateWarnings(warnings: readonly FoldedIssue[], most: number, deps: AnnotateDeps): void {
  annotate(warnings, most, "warning", deps, deps.commands.warning);
}

type Say = (message: string, place: AnnotationPlace) => void;

function annotate(folded: readonly FoldedIssue[], most: number, noun: string, deps: AnnotateDeps, say: Say): void {
  const shown = folded.length <= most ? folded : folded.slice(0, Math.max(0, most - 1));
  for (const one of shown) {
    const { file, line, column } = one.issue;
    const found = file === undefined ? undefined : fileIn(file, deps);
    say(textOf(one, found), { title, ...(found === undefined ? {} : { file: found, line, column }) });
  }
  const more = folded.length - shown.length;
  if (more > 0 && most > 0) say(`${plural(more, `more ${noun} is`, `more ${noun}s are`)} in the log`, { title });
}

const namedOthers = 3;

function textOf({ issue, others }: FoldedIssue, found: string | undefined): string {
  const { field, message, hint, file, mergedWith } = issue;
  const where = [found === undefined ? file : undefined, field].filter((part) => part !== undefined);
  const lines = [`${[...where, message].join(": ")}${mergedWith === undefined ? "" : ` (merged with '${mergedWith}')`}`];
  if (hint !== undefined) lines.push(`hint: ${hint}`);
  if (others.length > 0) {
    const more = others.length > namedOthers ? ", …" : "";
    const joined = mergedWith === undefined ? "in" : "with";
    lines.push(`the same ${joined} ${plural(others.length, "more file")}: ${others.slice(0, namedOthers).join(", ")}${more}`);
  }
  return lines.join("\n");
}
