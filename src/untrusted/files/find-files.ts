import { setImmediate } from "node:timers/promises";
import { type HeldTree, reasonOf, reasonOfError, type Seen } from "./held-tree.ts";
import { maxDepth, maxEntries, maxPathBytes } from "./limits.ts";
import type { LeftOutList } from "./manifest.ts";
import { joinRaw, showRaw } from "./raw-path.ts";
import type { Selection } from "./stage.ts";

/** A file that was selected. */
export interface FoundFile {
  readonly raw: string;
  readonly seen: Seen;
  readonly rank: number;
  readonly group: string | undefined;
}

export interface FindOptions {
  select(path: string, kind: "file" | "directory", names?: readonly string[]): Selection;
  readonly signal: AbortSignal | undefined;
  readonly leftOut: LeftOutList;
  /** Names to look at, at most. */
  readonly maxEntries?: number | undefined;
}

interface Directory {
  readonly raw: string;
  readonly depth: number;
}

const entriesPerTurn = 500;

/**
 * Every regular file that is selected, by rank and then path. Directories of low rank are read first, so that a tree that is too large costs
 * only what comes last. Whatever is selected and can't be taken goes to the list.
 */
export async function findFiles(tree: HeldTree, options: FindOptions): Promise<FoundFile[]> {
  const { leftOut, select, signal } = options;
  const found: FoundFile[] = [];
  const pending = new Map<number, Directory[]>([[0, [{ raw: "", depth: 0 }]]]);
  const limit = options.maxEntries ?? maxEntries;
  let entries = 0;
  let sinceTurn = 0;

  const refuse = (raw: string, kind: "file" | "directory", reason: string, bytes?: number): void =>
    leftOut.add({ raw, kind, reason, bytes });

  const visitEntry = (raw: string, depth: number): (Directory & { readonly rank: number }) | undefined => {
    const path = showRaw(raw).text;
    let seen: Seen;
    try {
      seen = tree.look(raw);
    } catch (error) {
      if (select(path, "file").kind === "take") refuse(raw, "file", reasonOfError(error));
      return undefined;
    }
    if (seen.kind === "directory") {
      const selection = select(path, "directory");
      if (selection.kind === "take") return { raw, depth, rank: selection.rank };
      if (selection.reason !== undefined) refuse(raw, "directory", selection.reason);
      return undefined;
    }
    const asFile = select(path, "file");
    // A link in place of a directory that belongs to us hides what was there.
    const selection = asFile.kind === "leave" && seen.kind === "link" ? select(path, "directory") : asFile;
    if (selection.kind === "leave") {
      if (selection.reason !== undefined) refuse(raw, "file", selection.reason, seen.bytes);
    } else if (seen.kind !== "file") refuse(raw, "file", reasonOf(seen), seen.bytes);
    else if (raw.length > maxPathBytes) refuse(raw, "file", "path too long", seen.bytes);
    else found.push({ raw, seen, rank: selection.rank, group: selection.group });
    return undefined;
  };

  for (let directory = nextOf(pending); directory !== undefined; directory = nextOf(pending)) {
    const { raw, depth } = directory;
    const stop =
      signal?.aborted === true ? "no time left" : entries >= limit ? "too many entries" : depth > maxDepth ? "too deep" : undefined;
    if (stop !== undefined) {
      refuse(raw, "directory", stop);
      continue;
    }
    let names: string[];
    try {
      names = tree.list(raw);
    } catch (error) {
      refuse(raw, "directory", reasonOfError(error));
      continue;
    }
    const again = raw === "" ? undefined : select(showRaw(raw).text, "directory", names);
    if (again?.kind === "leave") {
      if (again.reason !== undefined) refuse(raw, "directory", again.reason);
      continue;
    }
    const below: (Directory & { readonly rank: number })[] = [];
    for (const name of names) {
      entries += 1;
      const entered = visitEntry(joinRaw(raw, name), depth + 1);
      if (entered !== undefined) below.push(entered);
      sinceTurn += 1;
      if (sinceTurn % entriesPerTurn === 0) await setImmediate();
    }
    // The first is read next.
    for (const { rank, ...entered } of below.reverse()) {
      const ofRank = pending.get(rank);
      if (ofRank === undefined) pending.set(rank, [entered]);
      else ofRank.push(entered);
    }
  }
  return found.sort((a, b) => a.rank - b.rank || (a.raw < b.raw ? -1 : 1));
}

function nextOf(pending: ReadonlyMap<number, Directory[]>): Directory | undefined {
  const ranks = [...pending].filter(([, directories]) => directories.length > 0).map(([rank]) => rank);
  return ranks.length === 0 ? undefined : pending.get(Math.min(...ranks))?.pop();
}
