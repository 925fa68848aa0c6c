import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { errorMessage, InternalError } from "../errors.ts";
import { type ArtifactClient, startArtifactClient } from "./artifact-client.ts";
import { type ArtifactFailure, explainUploadFailure, whyUnavailable } from "./artifact-failure.ts";
import { maxNames, nameOfTry } from "./artifact-name.ts";
import type { Env, GitHubEnvironment } from "./environment.ts";

/** What became of the artifact. Failing to upload is a warning with what to do, never the verdict. */
export type ArtifactEnd =
  | {
      readonly kind: "uploaded";
      /** As it was free: may be the wanted one with `-2` behind it. */
      readonly name: string;
      readonly id: number;
      /** Page that downloads it; empty where the environment names no repository or run. */
      readonly url: string;
      /** `sha256:…` of the zip file. */
      readonly digest: string;
      /** Of the zip file. */
      readonly bytes: number;
      /** What the reader of the log should know, e.g. which name was taken. */
      readonly notes: readonly string[];
    }
  /** Nothing is wrong, but this job cannot upload; `why` says what to do instead. */
  | { readonly kind: "unavailable"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

export interface ArtifactRequest {
  /** See `artifactName`. */
  readonly name: string;
  /** Absolute; paths in the artifact are relative to it. */
  readonly rootDir: string;
  /** Absolute, below `rootDir`. */
  readonly files: readonly string[];
  /** Days; undefined for the repository's own setting, which also is the most. */
  readonly retentionDays?: number | undefined;
}

export interface ArtifactDeps {
  readonly environment: Pick<GitHubEnvironment, "serverUrl" | "repository" | "runId">;
  /** The process's environment: the runner's token and URL for artifacts, proxies. */
  readonly env: Env;
  /** Returns at once when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** For everything together, all tries included; 10 minutes if not given. */
  readonly deadlineMs?: number | undefined;
  /** Gets what GitHub's client prints, for a job with debug logging. */
  readonly log?: ((text: string) => void) | undefined;
}

const standardDeadlineMs = 600_000;

/** Uploads files as one artifact of the workflow run. Never throws. */
export async function uploadArtifact(request: ArtifactRequest, deps: ArtifactDeps): Promise<ArtifactEnd> {
  const { environment, env, signal, deadlineMs = standardDeadlineMs, log = () => {} } = deps;
  const unavailable = whyUnavailable(environment.serverUrl, env);
  if (unavailable !== undefined) return { kind: "unavailable", why: unavailable };
  let client: ArtifactClient | undefined;
  const stop = stopAfter(deadlineMs, signal);
  try {
    const refused = await Promise.race([whyRefused(request), stop.reached]);
    if (refused !== undefined) return failed(request.name, refused);
    client = startArtifactClient({ ...env, GITHUB_SERVER_URL: environment.serverUrl }, log);
    return await Promise.race([uploadUnderFreeName(request, client, environment), stop.reached.then((why) => failed(request.name, why))]);
  } catch (error) {
    return failed(request.name, explainUploadFailure(errorMessage(error)));
  } finally {
    stop.release();
    client?.stop();
  }
}

async function uploadUnderFreeName(
  { name: wanted, rootDir, files, retentionDays }: ArtifactRequest,
  client: ArtifactClient,
  place: ArtifactDeps["environment"],
): Promise<ArtifactEnd> {
  const taken: string[] = [];
  for (;;) {
    const name = nameOfTry(wanted, taken.length);
    const answer = await client.ask({ kind: "upload", name, rootDir, files, retentionDays });
    if (answer.kind === "uploaded") {
      const { id, bytes, digest } = answer;
      const notes = [...(taken.length === 0 ? [] : [noteOfTaken(taken, name)]), ...client.warnings];
      return { kind: "uploaded", name, id, url: urlOf(id, place), digest: digest === "" ? "" : `sha256:${digest}`, bytes, notes };
    }
    if (answer.kind !== "failed") throw new InternalError(`an upload was answered with "${answer.kind}"`);
    const failure = explainUploadFailure(answer.message);
    if (failure.kind !== "taken") return failed(name, failure);
    taken.push(name);
    if (taken.length === maxNames) return failed(wanted, { ...failure, why: `this run has artifacts named ${quoted(taken)} already` });
  }
}

const failed = (name: string, { why, remedy }: Pick<ArtifactFailure, "why" | "remedy">): ArtifactEnd => ({
  kind: "failed",
  why: `artifact ${JSON.stringify(name)} could not be uploaded: ${why}; ${remedy}`,
});

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");

const noteOfTaken = (taken: readonly string[], name: string): string =>
  `this run has an artifact named ${quoted(taken)} already, so this one is ${JSON.stringify(name)}; give every job its own \`artifact-name\``;

function urlOf(id: number, { serverUrl, repository, runId }: ArtifactDeps["environment"]): string {
  return repository === undefined || runId === undefined ? "" : `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`;
}

/**
 * The client follows links, and takes `/out-other/a` for a file below `/out` (it compares texts), so both are looked at here
 * again, whoever chose the files.
 */
async function whyRefused({ rootDir, files }: ArtifactRequest): Promise<Pick<ArtifactFailure, "why" | "remedy"> | undefined> {
  if (files.length === 0) return { why: "there is no file to upload", remedy: "see the log for why the run left none" };
  const root = await realpath(rootDir);
  const seen = new Map<string, boolean>();
  for (const file of files) {
    const path = relative(rootDir, file);
    const parent = dirname(file);
    const inside = seen.get(parent) ?? (await realpath(parent)) === join(root, dirname(path));
    seen.set(parent, inside);
    if (!inside || !isInside(path) || !(await lstat(file)).isFile())
      return { why: `${JSON.stringify(path)} is no regular file of its folder`, remedy: "nothing was sent; please report this" };
  }
  return undefined;
}

const isInside = (path: string): boolean => path !== "" && !isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`);

interface Stop {
  /** Resolves when it is time to give up. */
  readonly reached: Promise<Pick<ArtifactFailure, "why" | "remedy">>;
  release(): void;
}

function stopAfter(deadlineMs: number, signal: AbortSignal | undefined): Stop {
  const { promise, resolve } = Promise.withResolvers<Pick<ArtifactFailure, "why" | "remedy">>();
  const onAbort = (): void =>
    resolve({ why: "stopped, since the job is", remedy: "the files are still in the run directory of this runner" });
  const onTime = (): void =>
    resolve({ why: `it took longer than ${deadlineMs / 1000} s`, remedy: "check the connection, or upload less (`upload: results`)" });
  const timer = setTimeout(onTime, deadlineMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    reached: promise,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
