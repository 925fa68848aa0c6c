import { passedOnRetry } from "../results/counted-outcome.ts";
import { resumeCounts } from "../results/resume/resume-counts.ts";
import type { ResumeFacts } from "../results/resume/resume-facts.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { joinMarkdown, linkTo, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank, codeName, labelled, type Section, text } from "./markdown-parts.ts";
import type { OverviewFacts } from "./overview-facts.ts";
import type { Level } from "./overview-level.ts";
import { nameList } from "./overview-lists.ts";
import { earlierText, keptText, laterPassesText, retryText } from "./resume-text.ts";
import { rowNames } from "./row-names.ts";
import { sourceUrl } from "./source-url.ts";

/** Names of tasks that passed late, in `run.md`. */
const namesListed = 100;

/** List items for the first page of a run: what it took over, and what passed too late to count. Nothing for a run from scratch. */
export function resumeLines(facts: OverviewFacts, level: Level): SafeMarkdown[] {
  const { summary } = facts;
  const { resume } = summary;
  const counts = resumeCounts(summary);
  if (resume === null || counts === undefined) return laterLines(summary, level.names);
  const again = md`Retried were ${text(retryText(resume))} (<code>retry: ${text(resume.retry)}</code>).`;
  return [
    md`- **Continued** from ${origin(resume, facts)}: ${text(keptText(resume, counts))}.${level.passed > 0 ? md` ${again}` : blank}`,
    ...laterLines(summary, level.names),
  ];
}

/** The same where there is hardly any room. */
export function shortResumeLines(summary: RunSummary): SafeMarkdown[] {
  const { resume } = summary;
  const counts = resumeCounts(summary);
  return resume === null || counts === undefined ? [] : [md`- **Continued**: ${text(keptText({ ...resume, reasons: {} }, counts))}`];
}

/** Where the kept results come from, with links where they are ours to make. */
function origin(resume: ResumeFacts, { runUrl }: Pick<OverviewFacts, "runUrl">): SafeMarkdown {
  const { source } = resume;
  const isSameRun = runUrl !== undefined && source.workflow_run_id !== null && runUrl.endsWith(`/actions/runs/${source.workflow_run_id}`);
  const number = source.workflow_run_attempt;
  const attempt = isSameRun && number !== null ? linkTo(md`attempt ${number}`, `${runUrl}/attempts/${number}`) : earlier(resume);
  const artifact = artifactOf(resume, runUrl);
  return artifact === undefined ? attempt : md`${attempt} (${artifact})`;
}

/** An id of GitHub as the number that it is: as a text it could be a commit, and would be broken. */
function earlier(resume: ResumeFacts): SafeMarkdown {
  const id = Number(resume.source.workflow_run_id ?? Number.NaN);
  const words = earlierText(resume);
  if (!Number.isSafeInteger(id) || !words.endsWith(` ${id}`)) return text(words);
  return md`${text(words.slice(0, -String(id).length))} ${id}`;
}

function artifactOf({ source }: ResumeFacts, runUrl: string | undefined): SafeMarkdown | undefined {
  if (source.kind !== "artifact") return undefined;
  const url = sourceUrl(source.url, runUrl);
  const label = source.artifact === null || source.artifact === "" ? md`artifact` : md`artifact ${codeName(source.artifact)}`;
  return url === undefined ? label : linkTo(label, url);
}

function laterLines(summary: RunSummary, limit: number): SafeMarkdown[] {
  const words = laterPassesText(summary);
  if (words === undefined) return [];
  const names = summary.task_results.filter(passedOnRetry).map(rowNames(summary).of);
  return [md`- ${text(words)}: ${nameList(names, limit)}`];
}

/** The same in `run.md`. */
export function resumeSection(summary: RunSummary): Section | undefined {
  const { resume } = summary;
  const counts = resumeCounts(summary);
  const late = laterPassesText(summary);
  const lines: SafeMarkdown[] = [];
  if (resume !== null && counts !== undefined) {
    const artifact = artifactOf(resume, undefined);
    lines.push(
      labelled("Continued From", joinMarkdown([earlier(resume), ...(artifact === undefined ? [] : [md`(${artifact})`])], md` `)),
      labelled("Results", text(keptText(resume, counts))),
      labelled("Retry", md`${codeName(resume.retry)}: ${text(retryText(resume))}`),
    );
  }
  if (late !== undefined) lines.push(...laterLines(summary, namesListed));
  return lines.length === 0 ? undefined : { heading: md`## Earlier Attempts`, lines, gap: 1 };
}
