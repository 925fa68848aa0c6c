import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Git, GitResult } from "./git-command.ts";

export interface FetchSpec {
  readonly git: Git;
  /** Empty directory for the work. */
  readonly work: string;
  /** Checked address: not an option, an allowed protocol. */
  readonly address: string;
  /** Full or short id, tag or branch; the server's default branch when absent. */
  readonly commit: string | undefined;
}

const fetchLimitMs = 60_000;
const checkoutLimitMs = 30_000;

/**
 * Gets one commit of a repository into a repository of its own: no other history, no remote, no reflog, no hooks, no tags, so that an agent
 * cannot look up the answer in it. Gives its directory.
 * @throws Error with git's last words; DeadlineError after 60 s of fetching or 30 s of checking out
 */
export async function fetchCommit(spec: FetchSpec): Promise<string> {
  const { git, work } = spec;
  const directory = join(work, "repo");
  const until = performance.now() + fetchLimitMs;
  const run: Run = async (args, cwd) => await git(args, { cwd, timeoutMs: Math.max(1, Math.round(until - performance.now())) });
  const branch = await fetchShallow(spec, run, directory);
  if (branch === undefined) await fetchThroughMirror(spec, run, directory);

  const checkout = async (args: readonly string[]): Promise<GitResult> => await git(args, { cwd: directory, timeoutMs: checkoutLimitMs });
  await must(
    branch === undefined || branch === ""
      ? checkout(["checkout", "-q", "--detach", "FETCH_HEAD"])
      : checkout(["checkout", "-q", "-b", branch, "FETCH_HEAD"]),
  );
  await forgetOrigin(directory);
  return directory;
}

type Run = (args: readonly string[], cwd: string) => Promise<GitResult>;

/** The name of the branch to be on, `""` for none (an id or a tag); `undefined` when the server does not give this commit alone. */
async function fetchShallow(spec: FetchSpec, run: Run, directory: string): Promise<string | undefined> {
  const { address, commit } = spec;
  await initRepository(run, directory);
  const listed =
    commit === undefined || !isFullId(commit)
      ? await must(run(["ls-remote", "--symref", "--", address, commit ?? "HEAD"], directory))
      : undefined;
  const ref = listed === undefined ? commit : pickRef(listed.stdout, commit);
  if (ref === undefined) return undefined;
  const fetched = await run(["fetch", "-q", "--depth", "1", "--no-tags", "--", address, ref], directory);
  if (fetched.exitCode !== 0) {
    // A name that the server has just listed can't be had: nothing else will help.
    if (listed !== undefined) throw new Error(lastWords(fetched));
    return undefined;
  }
  if (commit === undefined) return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed?.stdout ?? "")?.[1] ?? "";
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : "";
}

/** Everything, once, and then the one commit out of it: for short ids, `HEAD~3`, and servers that refuse an id. */
async function fetchThroughMirror(spec: FetchSpec, run: Run, directory: string): Promise<void> {
  const mirror = join(spec.work, "mirror");
  const commit = spec.commit ?? "HEAD";
  await must(run(["init", "-q", "--bare", "--template=", mirror], spec.work));
  const everything = ["+HEAD:refs/heads/evalbatch-head", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
  await must(run(["fetch", "-q", "--no-tags", "--", spec.address, ...everything], mirror));
  await must(run(["symbolic-ref", "HEAD", "refs/heads/evalbatch-head"], mirror));
  const found = await resolveId(run, mirror, commit);
  if (found === undefined) throw new Error(`the repository has no commit, tag or branch '${commit}'`);
  await must(run(["config", "uploadpack.allowAnySHA1InWant", "true"], mirror));
  await rm(directory, { recursive: true, force: true });
  await initRepository(run, directory);
  await must(run(["fetch", "-q", "--depth", "1", "--no-tags", "--", pathToFileURL(mirror).href, found], directory));
  await rm(mirror, { recursive: true, force: true });
}

async function resolveId(run: Run, mirror: string, commit: string): Promise<string | undefined> {
  for (const name of [commit, `origin/${commit}`]) {
    const found = await run(["rev-parse", "-q", "--verify", "--end-of-options", `${name}^{commit}`], mirror);
    const id = found.stdout.trim();
    if (found.exitCode === 0 && isFullId(id)) return id;
  }
  return undefined;
}

async function initRepository(run: Run, directory: string): Promise<void> {
  await mkdir(directory);
  // An empty template: no hooks, not even examples.
  await must(run(["init", "-q", "--template="], directory));
}

function isFullId(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);
}

/** `ls-remote` matches by the end of a name: the branch or tag must be the very one that was asked for. */
function pickRef(listing: string, commit: string | undefined): string | undefined {
  const refs = listing.split("\n").map((line) => line.split("\t")[1] ?? "");
  const wanted = commit === undefined ? ["HEAD"] : [commit, `refs/heads/${commit}`, `refs/tags/${commit}`, `refs/${commit}`];
  return wanted.find((name) => refs.includes(name));
}

/** Fetching by address leaves no remote; what is left is where it came from (FETCH_HEAD) and the log of our own steps. */
async function forgetOrigin(directory: string): Promise<void> {
  for (const name of ["FETCH_HEAD", "ORIG_HEAD", "logs", "description", "hooks", "branches"]) {
    await rm(join(directory, ".git", name), { recursive: true, force: true });
  }
}

async function must(result: Promise<GitResult>): Promise<GitResult> {
  const done = await result;
  if (done.exitCode !== 0) throw new Error(lastWords(done));
  return done;
}

/** `fatal:` tells more than the advice below it. */
function lastWords(result: GitResult): string {
  const lines = result.stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => line.startsWith("fatal:")) ?? lines.at(-1) ?? `git ended with code ${result.exitCode}`;
}
