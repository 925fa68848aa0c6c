import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../errors.ts";
import type { ResumeSource } from "../results/resume/resume-facts.ts";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import { type ApiTiming, createApi } from "./api.ts";
import type { ArtifactNameOptions } from "./artifact-name.ts";
import { createArtifactAccess } from "./earlier-run-access.ts";
import { repositoryOf } from "./earlier-run-api.ts";
import { EarlierRunSearch } from "./earlier-run-search.ts";
import { earlierAttempts, latestRuns, namedRun, type Source, type SourceOptions, whyNoArtifacts } from "./earlier-run-sources.ts";
import type { Env, GitHubEnvironment } from "./environment.ts";
import { usualArchiveLimits } from "./run-archive.ts";

export { originOf } from "./earlier-run-origin.ts";

/** Results of an earlier attempt, or why there are none. */
export type EarlierRun =
  | {
      readonly kind: "found";
      readonly source: ResumeSource;
      /** What the reader of the log should know, one line each; hold foreign text. */
      readonly notes: readonly string[];
    }
  /** `why`: for a notice; holds foreign text. */
  | { readonly kind: "none"; readonly why: string };

export interface EarlierRunRequest {
  readonly mode: "auto" | "true";
  /** Input `resume-from`: id of a workflow run, or `latest`. */
  readonly from: string | undefined;
  /** Of this job. */
  readonly origin: RunOrigin;
  /** As `artifactName` is given it, secrets hidden. */
  readonly name: Omit<ArtifactNameOptions, "attempt">;
  /** Absolute; made, and filled with the earlier run's files, or left absent. */
  readonly into: string;
}

export interface EarlierRunDeps {
  readonly environment: Pick<GitHubEnvironment, "serverUrl" | "apiUrl" | "tempDir">;
  /** The process's environment: the runner's token and URL for artifacts, proxies. */
  readonly env: Env;
  /** Input `github-token`. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Of GitHub's API; tests wait less. */
  readonly apiTiming?: Partial<ApiTiming> | undefined;
  /** For everything together; 5 minutes if not given. */
  readonly deadlineMs?: number | undefined;
  /** Gets what GitHub's client prints, for a job with debug logging. */
  readonly log?: ((text: string) => void) | undefined;
}

/** Whether there may be an earlier run at all: a first attempt looks for one only where `resume-from` names it. */
export function mayHaveEarlierRun(from: string | undefined, attempt: number): boolean {
  return attempt > 1 || from !== undefined;
}

const standardDeadlineMs = 300_000;
/** For GitHub's API: most answers come in a second, and a busy repository's runs are many pages. */
const apiBudgetMs = 120_000;

/**
 * Finds, downloads and checks what an earlier attempt of this job left: of this workflow run first, then of the one that
 * `resume-from` names. Never throws; fails in time and with what to do.
 */
export async function fetchEarlierRun(request: EarlierRunRequest, deps: EarlierRunDeps): Promise<EarlierRun> {
  const { origin, from } = request;
  const none = (why: string): EarlierRun => ({ kind: "none", why });
  if (!mayHaveEarlierRun(from, origin.workflow_run_attempt)) return none("this is the first attempt of this workflow run");
  const impossible = whyNoArtifacts(deps.environment.serverUrl);
  if (impossible !== undefined) return none(impossible);
  const { signal: stopped, deadlineMs = standardDeadlineMs } = deps;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deadlineMs);
  const signal = AbortSignal.any([stopped, late.signal]);
  let workDir: string | undefined;
  try {
    signal.throwIfAborted();
    if (!(await isFree(request.into))) return none(`${request.into} is not empty: name another \`run-dir\``);
    workDir = await mkdtemp(join(deps.environment.tempDir ?? tmpdir(), "evalbatch-earlier-"));
    return await search(request, deps, { workDir, signal });
  } catch (error) {
    if (stopped.aborted) return none("stopped, since the job is");
    if (late.signal.aborted) return none(`it took longer than ${deadlineMs / 1000} s to fetch the results of an earlier attempt`);
    return none(`the results of an earlier attempt could not be fetched: ${errorMessage(error)}; has the runner's disk room?`);
  } finally {
    clearTimeout(timer);
    if (workDir !== undefined) await rm(workDir, { recursive: true, force: true }).catch(() => {});
  }
}

async function isFree(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length === 0;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

interface Room {
  readonly workDir: string;
  readonly signal: AbortSignal;
}

async function search(request: EarlierRunRequest, deps: EarlierRunDeps, { workDir, signal }: Room): Promise<EarlierRun> {
  const { origin, into, name } = request;
  const { environment, env, token, log = () => {} } = deps;
  const repository = repositoryOf(origin.repository);
  if (repository === undefined) return { kind: "none", why: "GITHUB_REPOSITORY is not set" };
  const maxBytes = usualArchiveLimits.totalBytes;
  using access = createArtifactAccess({ environment, repository: origin.repository, env, token, signal, log, maxBytes });
  const api =
    token === undefined ? undefined : createApi(token, environment, { signal, timing: { budgetMs: apiBudgetMs, ...deps.apiTiming } });
  using found = new EarlierRunSearch({ origin, access, workDir, into, signal });
  const gaps: string[] = [];
  for await (const source of sourcesOf(request, { repository, runId: origin.workflow_run_id, name, access, env, api })) {
    signal.throwIfAborted();
    if (source.kind === "gap") {
      gaps.push(source.why);
      continue;
    }
    const end = await found.among(source.candidates);
    if (end.kind === "ambiguous") return { kind: "none", why: end.why };
    if (end.kind === "nothing") continue;
    const { candidate, origin: theirs } = end;
    const taken: ResumeSource = {
      kind: "artifact",
      artifact: candidate.name,
      url: `${environment.serverUrl}/${origin.repository}/actions/runs/${candidate.runId}/artifacts/${candidate.id}`,
      workflow_run_id: theirs.workflow_run_id,
      workflow_run_attempt: theirs.workflow_run_attempt,
    };
    return { kind: "found", source: taken, notes: [...gaps, ...found.notes] };
  }
  signal.throwIfAborted();
  return { kind: "none", why: whyNothing(request, [...found.notes, ...gaps]) };
}

/** The nearest first: an attempt of this run that took its results from another run has them all. */
async function* sourcesOf({ from, origin }: EarlierRunRequest, options: SourceOptions): AsyncGenerator<Source> {
  const earlier = origin.workflow_run_attempt - 1;
  if (earlier > 0) yield* earlierAttempts(options, earlier);
  if (from === undefined || from === options.runId) return;
  yield* from === "latest" ? latestRuns(options) : namedRun(options, from);
}

const maxReasons = 5;

function whyNothing({ from, origin }: EarlierRunRequest, reasons: readonly string[]): string {
  const places = [
    ...(origin.workflow_run_attempt > 1 ? ["an earlier attempt"] : []),
    ...(from === undefined ? [] : [from === "latest" ? "an earlier run of the workflow for this branch" : `workflow run ${from}`]),
  ];
  const what = `no artifact with results of this job was found from ${places.join(" or ")}`;
  if (reasons.length === 0) return `${what}: with \`upload: none\`, or where it was deleted or has expired, there is nothing to go on from`;
  const more = reasons.length > maxReasons ? [`and ${reasons.length - maxReasons} more reasons`] : [];
  return [what, ...reasons.slice(0, maxReasons), ...more].join("; ");
}
