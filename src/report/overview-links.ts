import { joinMarkdown, linkTo, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, text } from "./markdown-parts.ts";
import type { OverviewFacts } from "./overview-facts.ts";

/** Links of a page about a run. Their texts and targets are ours; what is not of the expected shape is shown without a link. */

const commitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The first seven digits in a fixed-width font, linked to the commit; undefined for what is no commit id. */
export function commitLink(sha: string | undefined, { runUrl }: Pick<OverviewFacts, "runUrl">): SafeMarkdown | undefined {
  if (sha === undefined || !commitId.test(sha)) return undefined;
  // In pieces: seven digits at once are taken for a foreign commit id and broken.
  const short = md`<code>${joinMarkdown([text(sha.slice(0, 4)), text(sha.slice(4, 7))], blank)}</code>`;
  const repository = repositoryUrl(runUrl);
  return repository === undefined ? short : linkTo(short, `${repository}/commit/${sha}`);
}

function repositoryUrl(runUrl: string | undefined): string | undefined {
  return runUrl?.match(/^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/actions\/runs\/\d+/)?.[1];
}

export function runLink(label: SafeMarkdown, { runUrl }: Pick<OverviewFacts, "runUrl">): SafeMarkdown {
  return runUrl === undefined ? label : linkTo(label, runUrl);
}

export function artifactLink(label: SafeMarkdown, { artifact }: Pick<OverviewFacts, "artifact">): SafeMarkdown {
  return artifact === undefined ? label : linkTo(label, artifact.url);
}
