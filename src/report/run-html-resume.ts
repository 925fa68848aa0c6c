import { cut } from "../results/cut-text.ts";
import type { DriftEntry } from "../results/fingerprint/drift-schema.ts";
import { driftCells, sortDrift } from "../results/fingerprint/drift-text.ts";
import { resumeCounts } from "../results/resume/resume-counts.ts";
import type { ResumeFacts } from "../results/resume/resume-facts.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { html, type SafeHtml } from "./html.ts";
import { plural } from "./number-text.ts";
import { benignLabel, driftIntro, driftPolicyText, earlierText, keptText, laterPassesText, retryText } from "./resume-text.ts";
import { sourceUrl } from "./source-url.ts";

const entriesListed = 500;
const cellChars = 300;
const benignListed = 50;

/** What a run took over from an earlier one, and what passed too late to count. */
export function htmlResume(summary: RunSummary): SafeHtml {
  const { resume } = summary;
  const counts = resumeCounts(summary);
  const late = laterPassesText(summary);
  const taken =
    resume === null || counts === undefined
      ? html``
      : html`<p>Continued from ${earlierText(resume)}${artifactLink(resume)}: ${keptText(resume, counts)}. Retried were ${retryText(resume)} (<code>retry: ${resume.retry}</code>).</p>`;
  const later = late === undefined ? html`` : html`<p>${late}.</p>`;
  return resume === null && late === undefined ? html`` : html`<section class="resume">${taken}${later}</section>`;
}

function artifactLink({ source }: ResumeFacts): SafeHtml {
  if (source.kind !== "artifact") return html``;
  const name =
    source.artifact === null || source.artifact === "" ? html`artifact` : html`artifact <code>${cut(source.artifact, cellChars)}</code>`;
  const url = sourceUrl(source.url, undefined);
  return url === undefined ? html` (${name})` : html` (<a href="${url}">${name}</a>)`;
}

/** What differs between the results of a run. */
export function htmlDrift(summary: RunSummary): SafeHtml {
  const { grave, benign } = sortDrift(summary.drift);
  if (grave.length + benign.length === 0) return html``;
  const policy = driftPolicyText(summary);
  const done = policy === undefined ? html`` : html` ${policy.text} (<code>${policy.setting}</code>).`;
  if (grave.length === 0) return html`<section class="resume">${benignLine(benign, true)}</section>`;
  return html`<section class="drift"><h2>Differences between results <small>${grave.length}</small></h2>
<p>${driftIntro(summary).join(" ")}${done}</p>
${driftTable(grave)}${benignLine(benign, false)}</section>`;
}

/** Whom it concerns stands below what it is: a narrow screen has room for few columns. */
function driftTable(entries: readonly DriftEntry[]): SafeHtml {
  const rows = entries.slice(0, entriesListed).map((entry) => {
    const { field, before, now, setBy, rows: tasks } = driftCells(entry, cellChars);
    const about = tasks === "" ? html`` : html`<small>${tasks}</small>`;
    return html`<tr><th scope="row"><code>${field}</code>${about}</th><td>${value(before, entry.before)}</td><td>${value(now, entry.now)}</td><td>${setBy}</td></tr>`;
  });
  const left = entries.length - rows.length;
  const more = left > 0 ? html`<p class="more">… and ${plural(left, "more difference")}: see run.json</p>` : html``;
  return html`<div class="wide"><table><thead><tr><th>What</th><th>Before</th><th>Now</th><th>Set by</th></tr></thead><tbody>${rows}</tbody></table></div>${more}`;
}

/** What is said of an absent value is no value. */
function value(shown: string, found: string | null): SafeHtml {
  return found === null ? html`${shown}` : html`<code>${shown}</code>`;
}

function benignLine(benign: readonly DriftEntry[], alone: boolean): SafeHtml {
  if (benign.length === 0) return html``;
  const shown = benign.slice(0, benignListed);
  const items = shown.map((entry, index) => {
    const { field, before, now } = driftCells(entry, cellChars);
    return html`${index === 0 ? "" : ", "}<code>${field}</code> ${value(before, entry.before)} → ${value(now, entry.now)}`;
  });
  const left = benign.length - shown.length;
  return html`<p>${benignLabel(alone)}: ${items}${left > 0 ? html` and ${plural(left, "more difference")}` : html``}</p>`;
}
