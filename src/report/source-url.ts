/** Pages of a workflow run: itself, an attempt, an artifact. */
const page = /^(https:\/\/[\w.-]+(?::\d+)?\/[\w.-]+\/[\w.-]+)\/actions\/runs\/\d+(?:\/(?:attempts|artifacts)\/\d+)?$/;
const github = /^https:\/\/github\.com\//;

/**
 * The address that a run's files give for where it came from, if it may be a link: a page of the same repository as the run at hand, or,
 * where nobody knows that, of github.com. Files can be forged; a link of ours must lead nowhere else.
 * @param runUrl of the run at hand
 */
export function sourceUrl(url: string | null, runUrl: string | undefined): string | undefined {
  const repository = url === null ? undefined : page.exec(url)?.[1];
  if (url === null || repository === undefined) return undefined;
  if (runUrl === undefined) return github.test(url) ? url : undefined;
  return page.exec(runUrl)?.[1] === repository ? url : undefined;
}
