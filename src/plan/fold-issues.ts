import type { Issue } from "../errors.ts";

/** One finding, and the other files that have the same. */
export interface FoldedIssue {
  readonly issue: Issue;
  /** Names, in the order of the findings; without that of `issue`. Of what is wrong in an experiment: task files. */
  readonly others: readonly string[];
}

/** So many files may each say the same before it is said once. */
const fewFiles = 2;

/**
 * Findings as a person can read them: a team's hundred files often share one fault (a folder that is not checked out, a
 * variable that is not set), which is then told once, at its first place, with the names of the other files.
 */
export function foldIssues(issues: readonly Issue[]): FoldedIssue[] {
  const groups = Map.groupBy(issues, ({ severity, code, message, hint, mergedWith, ...place }) =>
    // In an experiment one place is wrong for many task files, elsewhere many places are wrong in the same way.
    JSON.stringify([severity, code, message, hint, ...(mergedWith === undefined ? [] : [place])]),
  );
  const folded: FoldedIssue[] = [];
  for (const group of groups.values()) {
    const files = new Set(group.map(fileOf).filter((file) => file !== undefined));
    const [first] = group;
    if (first === undefined) continue;
    if (files.size <= fewFiles) folded.push(...group.map((issue) => ({ issue, others: [] })));
    else folded.push({ issue: first, others: [...files].filter((file) => file !== fileOf(first)) });
  }
  return inPlaceOrder(folded, issues);
}

function fileOf({ file, mergedWith }: Issue): string | undefined {
  return mergedWith ?? file;
}

/** As the findings came: by file, and within a file by line. */
function inPlaceOrder(folded: FoldedIssue[], issues: readonly Issue[]): FoldedIssue[] {
  const places = new Map(issues.map((issue, index) => [issue, index]));
  return folded.sort((a, b) => (places.get(a.issue) ?? 0) - (places.get(b.issue) ?? 0));
}
