import { type Dirent, readdirSync } from "node:fs";
import { sep } from "node:path";
import { errorMessage } from "../errors.ts";
import { fileNames } from "./layout.ts";

export type TreeEntry =
  /** `path` is relative to the run directory, with `/`. */
  | { readonly kind: "file"; readonly path: string; readonly regular: boolean }
  | { readonly kind: "nested run"; readonly path: string }
  | { readonly kind: "unreadable"; readonly path: string; readonly reason: string };

/**
 * Every file called `name` in or below a run directory, by name level by level. Left out: links to directories, runs of their own
 * (a directory with a `run.json`), and `artifacts` of attempts, whose files were made by agents.
 *
 * Reads directories synchronously: at 10,000 attempts the thread pool costs more than the disk.
 */
export function* walkResults(runDir: string, name: string): Generator<TreeEntry> {
  // A stack of paths, the next one on top, rather than recursion: depth is in the hands of who made the tree.
  const pending: string[] = [""];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(path === "" ? runDir : `${runDir}${sep}${path}`, { withFileTypes: true });
    } catch (error) {
      yield { kind: "unreadable", path: path === "" ? "." : path, reason: errorMessage(error) };
      continue;
    }
    if (path !== "" && entries.some((entry) => entry.name === fileNames.run && !entry.isDirectory())) {
      yield { kind: "nested run", path };
      continue;
    }
    if (entries.length > 1) entries.sort((a, b) => (a.name < b.name ? 1 : -1));
    const ofAttempt = isAttemptDirectory(path, entries);
    for (const entry of entries) {
      const child = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!(ofAttempt && entry.name === fileNames.artifacts)) pending.push(child);
      } else if (entry.name === name) {
        yield { kind: "file", path: child, regular: entry.isFile() };
      }
    }
  }
}

/** What an attempt writes. */
const attemptFiles: ReadonlySet<string> = new Set([
  fileNames.task,
  fileNames.taskLog,
  fileNames.dockerLog,
  fileNames.conversation,
  fileNames.agentStream,
]);

/** A replicate directory, or one that holds what an attempt writes: only there is `artifacts` the agent's. */
function isAttemptDirectory(path: string, entries: readonly Dirent[]): boolean {
  // A directory of that name is a variant or a task.
  return entries.some((entry) => attemptFiles.has(entry.name) && !entry.isDirectory()) || /.\/\d+$/.test(path);
}
