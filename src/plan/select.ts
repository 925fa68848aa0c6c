import type { Issue } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import { quote } from "./found-text.ts";

/**
 * Keeps tasks with any of the `include` tags, then drops those with any of the `exclude` tags; an empty list is no
 * filter; tags are compared whole, the order stays (formats.md 8.8).
 */
export function filterByTags<Task extends { readonly tags: readonly string[] }>(
  tasks: readonly Task[],
  include: readonly string[],
  exclude: readonly string[],
): Task[] {
  return tasks.filter(({ tags }) => {
    if (include.length > 0 && !include.some((tag) => tags.includes(tag))) return false;
    return !exclude.some((tag) => tags.includes(tag));
  });
}

/**
 * Tags of a filter that no task has: the run is smaller than was meant, or larger. An excluded tag that resembles none is no
 * problem, since one list of exclusions may serve many folders.
 */
export function unknownTags(seen: ReadonlySet<string>, include: readonly string[], exclude: readonly string[]): Issue[] {
  const words = [...seen];
  const problem = (tag: string, isWanted: boolean): Issue[] => {
    const meant = seen.has(tag) ? undefined : didYouMean(tag, words);
    if (seen.has(tag) || (meant === undefined && !isWanted)) return [];
    const message = `no task has the tag ${quote(tag)}, which ${isWanted ? "was asked for" : "is excluded"}`;
    return [{ severity: "warning", code: "unknown-tag", message, hint: meant === undefined ? undefined : `did you mean '${meant}'?` }];
  };
  return [...new Set(include)].flatMap((tag) => problem(tag, true)).concat([...new Set(exclude)].flatMap((tag) => problem(tag, false)));
}
