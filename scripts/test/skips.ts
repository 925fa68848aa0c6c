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

/** Whether a skip is one that `EVALBATCH_REQUIRE_ACT=1` forbids: all in `test/act/`, and what was left out for want of act. */
export function needsAct(skip: Skip): boolean {
  return skip.file.startsWith("test/act/") || /^no act\b/.test(skip.reason);
}

/** Whether a test, or a skip, is one with the agents' real programs: those that take minutes are left out with a reason that begins "long". */
export function needsAgents({ file, reason }: { readonly file: string; readonly reason?: string }): boolean {
  return file.startsWith("test/agents/") && !/^long\b/.test(reason ?? "");
}

/** What a machine is said to have by an environment variable with the value 1, and the skips that break that promise. */
export const promises = [
  { variable: "EVALBATCH_REQUIRE_DOCKER", what: "an engine", breaks: needsEngine },
  { variable: "EVALBATCH_REQUIRE_ACT", what: "act", breaks: needsAct },
  { variable: "EVALBATCH_REQUIRE_AGENTS", what: "what real agents need", breaks: needsAgents },
] as const;

/** A line for each promise that skips have broken. */
export function brokenPromises(skips: readonly Skip[], env: Readonly<Record<string, string | undefined>>): string[] {
  return promises.flatMap(({ variable, what, breaks }) => {
    const count = env[variable] === "1" ? skips.filter(breaks).length : 0;
    return count === 0 ? [] : [`${variable}=1, but ${count} tests were skipped for want of ${what}`];
  });
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
