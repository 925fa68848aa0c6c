import type { Issue } from "../errors.ts";
import { didYouMean } from "./did-you-mean.ts";
import { quote } from "./found-text.ts";

export interface NothingLeft {
  readonly files: number;
  /** Files of which the task says `skip: true`. */
  readonly skipped: number;
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  /** Of all tasks that were found, also of skipped ones. */
  readonly seenTags: ReadonlySet<string>;
}

/** Why there is nothing to run, and what would change that. */
export function noTasks({ files, skipped, tags, excludeTags, seenTags }: NothingLeft): Issue {
  const filtered = tags.length + excludeTags.length > 0;
  const why = [
    `${files} ${files === 1 ? "file" : "files"} found`,
    ...(skipped > 0 ? [`${skipped} with skip: true`] : []),
    ...(filtered ? ["the tag filter leaves none of the rest"] : []),
  ];
  const remedies = [
    ...(filtered ? ["check the options tags and exclude-tags"] : []),
    ...(skipped > 0 ? ["run those with skip: true by include-skipped"] : []),
    "allow it with allow-empty",
  ];
  const hint = meantTag(tags, seenTags) ?? orList(remedies);
  return { severity: "error", code: "no-tasks", message: `there is no task to run: ${why.join(", ")}`, hint };
}

/** A wanted tag that no task has is most likely a typing mistake. */
function meantTag(tags: readonly string[], seen: ReadonlySet<string>): string | undefined {
  const words = [...seen];
  for (const tag of tags.filter((wanted) => !seen.has(wanted))) {
    const meant = didYouMean(tag, words);
    if (meant !== undefined) return `no task has the tag ${quote(tag)}; did you mean '${meant}'?`;
  }
  return undefined;
}

function orList(parts: readonly string[]): string {
  return parts.length === 1 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, or ${parts.slice(-1).join("")}`;
}
