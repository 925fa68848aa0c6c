import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { InternalError } from "../errors.ts";
import { type ArtifactClient, type ClientAnswer, type ClientRequest, type ListedArtifact, startArtifactClient } from "./artifact-client.ts";
import { explainReadFailure } from "./artifact-failure.ts";
import { repositoryOf } from "./earlier-run-api.ts";
import type { Env, GitHubEnvironment } from "./environment.ts";

/** An artifact that may hold what an earlier attempt of this job left. */
export interface Candidate extends ListedArtifact {
  /** Workflow run that it belongs to. */
  readonly runId: string;
  /** Attempts of that run that its name may stand for. */
  readonly attempts: readonly number[];
  /** Whose token reaches it: the runner's only those of this workflow run. */
  readonly by: "runner" | "api";
}

export type Fetched<Data> = { readonly kind: "ok"; readonly data: Data } | { readonly kind: "failed"; readonly reason: string };

/** GitHub's service for artifacts, to read from. Nothing here throws but the file system's errors. */
export interface ArtifactAccess extends Disposable {
  list(): Promise<Fetched<readonly ListedArtifact[]>>;
  /** Path of the zip file, checked against the digest that the service told. */
  download(candidate: Candidate, directory: string): Promise<Fetched<string>>;
}

export interface AccessOptions {
  readonly environment: Pick<GitHubEnvironment, "serverUrl" | "apiUrl">;
  readonly repository: string;
  readonly env: Env;
  readonly token: string | undefined;
  /** Ends what is going on: what was asked has failed then. */
  readonly signal: AbortSignal;
  readonly log: (text: string) => void;
  /** Of a zip file. */
  readonly maxBytes: number;
}

export function createArtifactAccess(options: AccessOptions): ArtifactAccess {
  const { environment, env, signal, log } = options;
  let client: ArtifactClient | undefined;
  const stop = (): void => {
    client?.stop();
    client = undefined;
  };
  signal.addEventListener("abort", stop, { once: true });

  /** A thread that failed may have died, or have requests open: the next question gets another. */
  async function ask(request: ClientRequest): Promise<ClientAnswer> {
    if (signal.aborted) return { kind: "failed", message: "stopped" };
    client ??= startArtifactClient({ ...env, GITHUB_SERVER_URL: environment.serverUrl, GITHUB_API_URL: environment.apiUrl }, log);
    const answer = await client.ask(request);
    if (answer.kind === "failed") stop();
    return answer;
  }

  return {
    async list() {
      const answer = await ask({ kind: "list" });
      if (answer.kind === "listed") return { kind: "ok", data: answer.artifacts };
      return { kind: "failed", reason: reasonOf(answer) };
    },
    async download(candidate, directory) {
      const { id, bytes, digest } = candidate;
      if (bytes > options.maxBytes) return failed(`it has ${bytes} bytes, more than any artifact of ours`);
      await mkdir(directory);
      const from = candidate.by === "api" ? apiPlace(candidate, options) : undefined;
      const answer = await ask({ kind: "download", id, directory, from });
      if (answer.kind !== "downloaded") return failed(reasonOf(answer));
      const path = await onlyFileIn(directory, options.maxBytes);
      if (path === undefined) return failed("what came is no single file, or too large");
      const told = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? "")?.[1]?.toLowerCase();
      if (told !== undefined && told !== (await sha256Of(path, signal)))
        return failed("what came has another digest than the service told");
      return { kind: "ok", data: path };
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener("abort", stop);
      stop();
    },
  };
}

const failed = (reason: string): { readonly kind: "failed"; readonly reason: string } => ({ kind: "failed", reason });

function reasonOf(answer: ClientAnswer): string {
  if (answer.kind !== "failed") throw new InternalError(`a question was answered with "${answer.kind}"`);
  const { why, remedy } = explainReadFailure(answer.message);
  return `${why}; ${remedy}`;
}

function apiPlace({ runId }: Candidate, { repository, token = "" }: AccessOptions) {
  const { owner = "", repo = "" } = repositoryOf(repository) ?? {};
  return { repositoryOwner: owner, repositoryName: repo, runId: Number(runId), token };
}

/** The service chooses the name. */
async function onlyFileIn(directory: string, maxBytes: number): Promise<string | undefined> {
  const [name, ...more] = await readdir(directory);
  if (name === undefined || more.length > 0) return undefined;
  const path = join(directory, name);
  const stats = await lstat(path);
  return stats.isFile() && stats.size <= maxBytes ? path : undefined;
}

async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest("hex");
}
