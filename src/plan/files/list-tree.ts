import { isUtf8 } from "node:buffer";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { compareCodePoints } from "../code-points.ts";
import { readFailure } from "../read-failure.ts";

/** What lies in a folder: `path` is relative, POSIX. */
export type TreeEntry =
  | { readonly kind: "file"; readonly path: string; readonly bytes: number; readonly isExecutable: boolean }
  /** Never followed: what it points at counts where it lies itself. */
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** It is there, and nobody can say what it holds. */
  | { readonly kind: "closed"; readonly path: string };

export interface TreeOptions {
  /** What stays out, of folders with all that lies below. */
  readonly isIgnored: (name: string, path: string, kind: "file" | "folder" | "link") => boolean;
  readonly onProblem: (path: string, problem: string) => void;
  /** Called now and then; may throw. */
  readonly giveWay: () => Promise<void>;
  readonly maxEntries: number;
  /** Folders in each other. */
  readonly maxDepth: number;
}

export interface Tree {
  /** Sorted by code point. Folders are none of them: an empty one is in no checkout. */
  readonly entries: readonly TreeEntry[];
  /** There is more than `maxEntries`. */
  readonly isCut: boolean;
}

/** Looks through a folder. What cannot be read is told and never thrown; the root itself may be a link. */
export async function listTree(root: string, options: TreeOptions): Promise<Tree> {
  const walk = new TreeWalk(root, options);
  await walk.addFolder("", 1);
  return { entries: walk.entries.sort((left, right) => compareCodePoints(left.path, right.path)), isCut: walk.isCut };
}

const entriesAtOnce = 200;

class TreeWalk {
  readonly entries: TreeEntry[] = [];
  isCut = false;
  readonly #root: string;
  readonly #options: TreeOptions;
  #seen = 0;

  constructor(root: string, options: TreeOptions) {
    this.#root = root;
    this.#options = options;
  }

  async addFolder(below: string, depth: number): Promise<void> {
    const found = await this.#listed(below);
    // In a fixed order, so that a cut is the same everywhere.
    for (const { name: raw, isFolder, isFile, isLink } of found) {
      if (this.isCut) return;
      const name = raw.toString("utf8");
      const path = below === "" ? name : `${below}/${name}`;
      if (this.#options.isIgnored(name, path, isFolder ? "folder" : isLink ? "link" : "file")) continue;
      if (!isUtf8(raw)) this.#options.onProblem(path, "its name is not UTF-8");
      else if (isFolder && depth >= this.#options.maxDepth) this.#options.onProblem(path, "it lies too deep");
      else if (isFolder) await this.addFolder(path, depth + 1);
      else if (isFile || isLink) await this.#addEntry(path, isLink);
      else this.#options.onProblem(path, "it is neither a file nor a folder nor a link");
    }
  }

  async #listed(below: string) {
    try {
      const entries = await readdir(join(this.#root, below), { withFileTypes: true, encoding: "buffer" });
      return entries
        .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile(), isLink: entry.isSymbolicLink() }))
        .sort((left, right) => Buffer.compare(left.name, right.name));
    } catch (error) {
      this.#close(below, error);
      return [];
    }
  }

  async #addEntry(path: string, isLink: boolean): Promise<void> {
    this.#seen += 1;
    if (this.#seen % entriesAtOnce === 0) await this.#options.giveWay();
    if (this.entries.length >= this.#options.maxEntries) {
      this.isCut = true;
      return;
    }
    const full = join(this.#root, path);
    try {
      if (isLink) this.entries.push({ kind: "link", path, target: await readlink(full) });
      else {
        const { size, mode } = await lstat(full);
        this.entries.push({ kind: "file", path, bytes: size, isExecutable: (mode & 0o111) !== 0 });
      }
    } catch (error) {
      this.#close(path, error);
    }
  }

  #close(path: string, error: unknown): void {
    const why = readFailure(error);
    if (why === undefined) throw error;
    this.#options.onProblem(path, `it cannot be read: ${why}`);
    this.entries.push({ kind: "closed", path });
  }
}
