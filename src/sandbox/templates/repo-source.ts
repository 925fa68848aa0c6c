import { mkdtemp, realpath, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { DeadlineError, EnvironmentError, errorMessage, SandboxSetupError } from "../../errors.ts";
import type { TemplateSource } from "../../plan/schema/task-schema.ts";
import type { Sandbox } from "../sandbox.ts";
import { directoryPrefix, removeTree, writeOwner } from "../tempdir/leftovers.ts";
import { fetchCommit } from "./fetch-commit.ts";
import { createGit, type GitConfig, withoutCredentials } from "./git-command.ts";
import { readHostTree } from "./host-tree.ts";

type Repo = Extract<TemplateSource, { type: "repo" }>;

/** Repositories for templates; each (address, commit) is fetched once per run, so that all replicates see the same files. */
export interface RepoSource extends AsyncDisposable {
  /** @throws SandboxSetupError `git_clone_error`, EnvironmentError, or the signal's reason */
  copyInto(sandbox: Sandbox, source: Repo, context: { readonly signal: AbortSignal; readonly log: (line: string) => void }): Promise<void>;
}

export interface RepoSourceOptions {
  readonly runId: string;
  /** The host's environment: git finds the user's credentials through it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tmpDir: string;
}

export function createRepoSource(options: RepoSourceOptions): RepoSource {
  const ended = new AbortController();
  const fetched = new Map<string, Promise<string>>();
  let root: Promise<string> | undefined;

  const makeRoot = async (): Promise<string> => {
    const path = await mkdtemp(join(await realpath(options.tmpDir), `${directoryPrefix}repos-`));
    await writeOwner(path, { sandbox: "repos", run: options.runId, expiresAt: Date.now() + 7 * 86_400_000 });
    return path;
  };

  const fetchOne = async (written: string, source: Repo): Promise<string> => {
    root ??= makeRoot();
    const work = await mkdtemp(join(await root, "r-"));
    const name = `${withoutCredentials(source.url)}${source.commit === null ? "" : ` at ${source.commit}`}`;
    const { address, config } = splitCredentials(written);
    const git = createGit(options.env, config, ended.signal);
    try {
      return await fetchCommit({ git, work, address, commit: source.commit ?? undefined });
    } catch (error) {
      await rm(work, { recursive: true, force: true });
      if (ended.signal.aborted || error instanceof EnvironmentError) throw error;
      const hint =
        error instanceof DeadlineError ? "the server is slow or the repository is large: pin a commit, or use a template_dir" : undefined;
      throw new SandboxSetupError("git_clone_error", `failed to clone repository ${name}: ${errorMessage(error)}`, { cause: error, hint });
    }
  };

  const get = (source: Repo): Promise<string> => {
    const address = checkedAddress(source);
    const key = `${address}\0${source.commit ?? ""}`;
    const known = fetched.get(key);
    if (known !== undefined) return known;
    const fetching = fetchOne(address, source);
    fetched.set(key, fetching);
    // The next task may have more luck.
    fetching.catch(() => fetched.delete(key));
    return fetching;
  };

  return {
    async copyInto(sandbox, source, { signal, log }) {
      const directory = await orAbort(get(source), signal);
      const onSkipped = (path: string, reason: string): void => log(`repository: left out ${path}: ${reason}`);
      await sandbox.putFiles(readHostTree(directory, { isIgnored: () => false, onSkipped, signal }), "repo", signal);
    },
    async [Symbol.asyncDispose]() {
      ended.abort(new Error("the run is over"));
      await Promise.allSettled(fetched.values());
      if (root !== undefined) await removeTree(await root).catch(() => undefined);
    },
  };
}

/** User and password of an http address travel as a setting in git's environment: its arguments, and its helpers', are for all to read. */
export function splitCredentials(written: string): { readonly address: string; readonly config: GitConfig } {
  if (!/^https?:/i.test(written) || !URL.canParse(written)) return { address: written, config: [] };
  const url = new URL(written);
  if (url.username === "" && url.password === "") return { address: written, config: [] };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  const value = `Authorization: Basic ${Buffer.from(pair).toString("base64")}`;
  return { address: url.href, config: [[`http.${url.origin}/.extraHeader`, value]] };
}

/** Several tasks may wait for one fetch: the abort of one must not end it for the others. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * `https`, `http`, `ssh`, `git`, `file`, `user@host:path`, or an absolute path of this machine.
 * @throws SandboxSetupError for anything that git could take for an option, a helper program or a relative path
 */
export function checkedAddress(source: Pick<Repo, "url" | "commit">): string {
  const { url, commit } = source;
  const fail = (what: string): never => {
    throw new SandboxSetupError("git_clone_error", `failed to clone repository: ${what}`, {
      hint: "use an https, http, ssh, git or file address, user@host:path, or an absolute path",
    });
  };
  if (commit !== null && !/^[^-\s:^~?*[\\][^\s:?*[\\]*$/.test(commit)) return fail(`'${commit}' is not a commit, tag or branch`);
  if (isAbsolute(url) && !url.includes("\0")) return pathToFileURL(url).href;
  if (/[\s\0]/.test(url) || url === "" || url.startsWith("-")) return fail(`'${withoutCredentials(url)}' is not an address`);
  if (/^(https?|ssh|git|file):\/\/[^-]/i.test(url)) return url;
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!:)[^-]/.test(url)) return url;
  return fail(`'${withoutCredentials(url)}' has a protocol that is not allowed`);
}
