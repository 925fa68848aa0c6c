import { join } from "node:path";
import { errorMessage, type Issue } from "../errors.ts";
import { annotateRun } from "../github/annotations.ts";
import { commentFileText } from "../github/comment-file.ts";
import type { Published } from "../github/outputs.ts";
import type { PublishedPart } from "../github/state.ts";
import { writeSummary } from "../github/summary.ts";
import { plural, thousands } from "../report/number-text.ts";
import { type OverviewFacts, summaryLadder } from "../report/overview.ts";
import { writeFileAtomic } from "../results/atomic-file.ts";
import type { GateEnd } from "../results/gate.ts";
import { fileNames } from "../results/layout.ts";
import type { Changes } from "../results/row-digest.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import type { SafeMarkdown } from "../untrusted/markdown.ts";
import { commitOf, type JobContext, runUrlOf, titleOf } from "./job-context.ts";
import { rerunFlagsOf } from "./job-selection.ts";
import { type PublishedFiles, publishFiles } from "./publish-artifact.ts";
import { type CommentOpening, commentPlaceOf, openRunComment, tellNoComment, writeRunComment } from "./publish-comment.ts";

/** A run as it ended, or as the post step found it. */
export interface PublishableRun {
  readonly summary: RunSummary;
  readonly gate: GateEnd;
  /** Absolute. */
  readonly runDir: string;
  /** Absolute; paths of task files are relative to it. */
  readonly cwd: string;
  /** `run.md`. */
  readonly markdown: SafeMarkdown;
  /** Of its plan, without secrets; unknown of a run that is found on the disk. */
  readonly findings?: readonly Issue[] | undefined;
}

export interface PublishOptions {
  /** Parts that are out already, or not wanted now. */
  readonly without: ReadonlySet<PublishedPart>;
  /** Told when a part is out. */
  readonly onPublished: (part: PublishedPart, artifact?: Published["artifact"]) => void;
  /** The artifact, where it is out already. */
  readonly artifact?: Published["artifact"];
  /** Ends what waits for the network; what is local is still written. */
  readonly signal: AbortSignal;
  /** Who does what the signal ended, where somebody does: it is not lost then. */
  readonly successor?: string | undefined;
  /** Shown in the reports. */
  readonly notes: readonly string[];
}

/**
 * Shows a run: artifact, job summary, comment, annotations. The files go first, because the texts link to them. What can't be shown
 * is a warning with what to do, and never changes the verdict.
 */
export async function publishRun(run: PublishableRun, job: JobContext, options: PublishOptions): Promise<Published> {
  const { without, signal, onPublished } = options;
  const wants = (part: PublishedPart): boolean => !without.has(part);
  await writeCommentFile(run, job);
  // Looking for the comment takes as long as an upload of small results: both at once.
  const opening = wants("comment") ? openRunComment(run.summary, job, signal).catch(brokenOpening) : undefined;
  const files = wants("artifact") ? await publishFiles(run.runDir, job, signal) : undefined;
  const told =
    files === undefined
      ? { artifact: options.artifact, notes: [] }
      : tellFiles(files, run.runDir, job, signal.aborted ? options.successor : undefined);
  // One that is out stays out, also when the stop came in that very moment.
  if (wants("artifact") && (told.artifact !== undefined || !signal.aborted)) onPublished("artifact", told.artifact);
  const place = await opening;
  const changes = place?.kind === "open" ? place.changes : undefined;
  const facts = factsOf(run, job, { ...told, notes: [...options.notes, ...told.notes], changes, hidden: files?.redactions ?? 0 });
  if (wants("summary")) {
    await showSummary(facts, run, job);
    onPublished("summary");
  }
  const isLeft = signal.aborted && options.successor !== undefined;
  const commentUrl = place === undefined || isLeft ? undefined : await showComment(place, facts, job, options);
  if (wants("comment") && (commentUrl !== undefined || !signal.aborted)) onPublished("comment");
  // With the summary: both are said once, by the step that ends the run.
  if (wants("summary")) {
    const deps = { commands: job.commands, workspace: job.environment.workspace, cwd: run.cwd };
    annotateRun(run.summary, run.gate, deps, run.findings);
  }
  return { artifact: told.artifact, commentUrl };
}

/** Nobody waits for it yet: what it threw would end the process. */
function brokenOpening(error: unknown): CommentOpening {
  return { kind: "refused", why: `no comment, which is a bug of evalbatch: ${errorMessage(error)}` };
}

async function writeCommentFile(run: PublishableRun, job: JobContext): Promise<void> {
  const place = commentPlaceOf(job);
  if (place === undefined) return;
  try {
    // Over a link that somebody laid there, never through it.
    await writeFileAtomic(join(run.runDir, fileNames.comment), [commentFileText(place, run.summary)]);
  } catch (error) {
    job.commands.warning(`${fileNames.comment} could not be written: ${errorMessage(error)}`);
  }
}

interface ToldFiles {
  readonly artifact?: Published["artifact"];
  readonly notes: readonly string[];
}

function tellFiles({ end, leftOut }: PublishedFiles, runDir: string, { commands }: JobContext, successor: string | undefined): ToldFiles {
  if (end.kind === "uploaded") {
    const missing =
      leftOut === 0 ? [] : [`${plural(leftOut, "file")} did not come along with the artifact; evalbatch-files.json in it says why`];
    const notes = [...end.notes, ...missing];
    commands.lines([`artifact ${end.name} (${thousands(end.bytes)} bytes): ${end.url}`, ...notes].join("\n"), "evalbatch | ");
    const { name, id, url, digest } = end;
    return { artifact: { name, id, url, digest }, notes };
  }
  if (end.kind === "failed" && successor !== undefined) {
    const note = `the results were not uploaded before the stop; ${successor} does that`;
    commands.lines(note, "note: ");
    return { notes: [note] };
  }
  if (end.kind === "unavailable") commands.lines(`no artifact: ${end.why}`, "note: ");
  else commands.warning(`the results were not uploaded: ${end.why}; they are in ${runDir}`, { title: "evalbatch" });
  return { notes: [`no artifact: ${end.why}`] };
}

interface ShownFacts extends ToldFiles {
  readonly changes: Changes | undefined;
  /** Secrets hidden in what was uploaded. */
  readonly hidden: number;
}

function factsOf(run: PublishableRun, job: JobContext, shown: ShownFacts): OverviewFacts {
  return {
    summary: run.summary,
    gate: run.gate,
    changes: shown.changes,
    artifact: shown.artifact,
    runUrl: runUrlOf(job.environment),
    commit: commitOf(job),
    attempt: job.environment.runAttempt,
    title: job.redactor.redact(titleOf(job)).text,
    rerunFlags: rerunFlagsOf(job.inputs.selection),
    redactions: run.summary.redactions + shown.hidden,
    notes: shown.notes,
  };
}

async function showSummary(facts: OverviewFacts, run: PublishableRun, { inputs, environment, commands }: JobContext): Promise<void> {
  if (!inputs.summary) return;
  const end = await writeSummary(environment.summaryPath, summaryLadder(facts, run.markdown));
  if (end.kind === "failed") commands.warning(end.why);
  if (end.kind === "skipped") commands.lines(end.why, "note: ");
  if (end.kind === "written" && end.shortened) commands.lines("the job summary was shortened to what it holds", "note: ");
}

async function showComment(
  place: Awaited<ReturnType<typeof openRunComment>>,
  facts: OverviewFacts,
  job: JobContext,
  { signal, successor }: PublishOptions,
): Promise<string | undefined> {
  if (place.kind !== "open") {
    tellNoComment(place, job);
    return undefined;
  }
  const end = await writeRunComment(place.slot, facts, job);
  if (end.kind === "written") {
    const cut = end.shortened ? " (shortened to what a comment holds)" : "";
    job.commands.lines(`comment ${end.created ? "written" : "updated"}${cut}: ${end.url}`, "evalbatch | ");
    return end.url;
  }
  if (end.kind === "newer") job.commands.lines(`no comment: ${end.why}`, "note: ");
  else if (signal.aborted && successor !== undefined)
    job.commands.lines(`the comment was not finished before the stop; ${successor} does that`, "note: ");
  else tellNoComment({ kind: "refused", why: end.why }, job);
  return undefined;
}
