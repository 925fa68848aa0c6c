import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");
const dist = process.env.EVALBATCH_DIST ?? join(root, "dist");

interface Cleanup {
  after(work: () => void): void;
}

export function temporaryDirectory(t: Cleanup): string {
  const path = mkdtempSync(join(tmpdir(), "evalbatch-act-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The action as a release has it: `action.yml` and the bundle. */
export function copyAction(target: string): void {
  cpSync(join(root, "action.yml"), join(target, "action.yml"));
  cpSync(dist, join(target, "dist"), { recursive: true });
}

/** Copies what a workflow of this repository looks at; nothing else can be missed unseen then. */
export function copyOwnFiles(target: string, paths: readonly string[]): void {
  for (const path of paths) cpSync(join(root, path), join(target, path), { recursive: true });
}

export function writeFiles(target: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
}

/** Turns a folder into a repository on GitHub, as far as act asks: one commit and an address. */
export function commitAll(directory: string, fullName: string): { readonly sha: string } {
  const env = { PATH: process.env.PATH, HOME: directory, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", ["-C", directory, ...args], { encoding: "utf8", env }).trim();
  if (existsSync(join(directory, ".git"))) throw new Error(`${directory} is a repository already`);
  git("init", "--quiet", "--initial-branch=main");
  git("remote", "add", "origin", `https://github.com/${fullName}.git`);
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message=Everything");
  return { sha: git("rev-parse", "HEAD") };
}

/** The event of a pull request: from a branch of the same repository, or from somebody's fork of it. */
export function pullRequestEvent(fullName: string, sha: string, number: number, fork = false) {
  const repositoryOf = (login: string) => ({ full_name: fullName.replace(/^[^/]+/, login), owner: { login }, fork: login === "stranger" });
  const [owner = ""] = fullName.split("/");
  const side = (login: string, ref: string) => ({
    ref,
    sha,
    label: `${login}:${ref}`,
    user: { login, type: "User" },
    repo: repositoryOf(login),
  });
  const head = side(fork ? "stranger" : owner, "change");
  const pull_request = { number, state: "open", title: "A change", user: head.user, head, base: side(owner, "main") };
  return {
    name: "pull_request",
    payload: { action: "synchronize", number, pull_request, repository: repositoryOf(owner), sender: head.user },
  };
}
