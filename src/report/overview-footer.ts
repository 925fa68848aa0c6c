import { joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, text } from "./markdown-parts.ts";
import { plural } from "./number-text.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { artifactLink, commitLink, runLink } from "./overview-links.ts";

const noteChars = 500;

/** Notes, and the last line: where this comes from and where the rest is. */
export function footer(facts: OverviewFacts, level: Level): SafeMarkdown[] {
  const notes = facts.notes.slice(0, level.names).map((note) => md`- ${text(note, noteChars)}`);
  const lines = notes.length === 0 ? [] : [blank, md`**Notes**`, blank, ...notes];
  return [...lines, blank, md`<sub>${joinMarkdown(origins(facts), md` · `)}</sub>`];
}

function origins(facts: OverviewFacts): SafeMarkdown[] {
  const { artifact, attempt, redactions, summary } = facts;
  const parts: SafeMarkdown[] = [];
  if (facts.runUrl !== undefined) parts.push(runLink(md`Run`, facts));
  const commit = commitLink(facts.commit, facts);
  if (commit !== undefined) parts.push(md`commit ${commit}`);
  if (attempt > 1) parts.push(md`attempt ${attempt}`);
  if (artifact !== undefined) parts.push(artifactLink(md`artifact ${text(artifact.name)}`, facts));
  parts.push(md`evalbatch${summary.evalbatch_version === null ? blank : md` ${text(summary.evalbatch_version)}`}`);
  if (redactions > 0) parts.push(md`secrets hidden in ${text(plural(redactions, "place"))}`);
  return parts;
}

/** Links of a page that has no room for anything else; an address that is too long for it is left out. */
export function shortLinks(facts: OverviewFacts, maxUrlBytes: number): SafeMarkdown {
  const short = (url: string | undefined) => (url !== undefined && Buffer.byteLength(url) <= maxUrlBytes ? url : undefined);
  const runUrl = short(facts.runUrl);
  const artifact = short(facts.artifact?.url) === undefined ? undefined : facts.artifact;
  const parts = [
    ...(runUrl === undefined ? [] : [runLink(md`Full report`, { runUrl })]),
    ...(artifact === undefined ? [] : [artifactLink(md`artifact`, { artifact })]),
  ];
  return joinMarkdown(parts, md` · `);
}
