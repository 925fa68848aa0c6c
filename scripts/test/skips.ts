/** A test that did not run, and what it gave as the reason. */
export interface Skip {
  /** Relative to the repository, with forward slashes. */
  readonly file: string;
  readonly name: string;
  readonly reason: string;
}

/**
 * Whether a skip is one that `EVALBATCH_REQUIRE_DOCKER=1` forbids: everything in `test/docker/`, and elsewhere what was
 * left out for want of an engine. What only one kind of engine can do skips with a reason that begins "this engine" or
 * "the engine has".
 */
export function needsEngine(skip: Skip): boolean {
  if (/^(?:this engine|the engine has)\b/i.test(skip.reason)) return false;
  return skip.file.startsWith("test/docker/") || /\b(?:docker|engine)\b/i.test(skip.reason);
}

/** The skips by reason, the most frequent first, each with its number and up to three names. */
export function renderSkips(skips: readonly Skip[]): string[] {
  const byReason = Map.groupBy(skips, (skip) => skip.reason);
  return [...byReason]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([reason, group]) => {
      const names = group.slice(0, 3).map((skip) => `${skip.file}: ${skip.name}`);
      const more = group.length > names.length ? `, and ${group.length - names.length} more` : "";
      return `${group.length} skipped (${reason}): ${names.join(", ")}${more}`;
    });
}
