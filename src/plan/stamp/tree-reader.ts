import { existsSync, type Stats } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareCodePoints } from "../code-points.ts";
import { listTree, type Tree, type TreeEntry } from "../files/list-tree.ts";
import { digestOf, type Redact } from "./canonical.ts";
import { digestFile, type FileDigest } from "./file-digests.ts";
import { ProblemLines } from "./problem-lines.ts";
import type { TreeFilter } from "./tree-filters.ts";

export interface TreeLimits {
  /** A folder with more is compared by names and sizes. */
  readonly files: number;
  readonly bytes: number;
  /** Files that are so much as listed. */
  readonly listed: number;
  /** Folders in each other. */
  readonly depth: number;
}

const defaultLimits: TreeLimits = { files: 20_000, bytes: 1024 ** 3, listed: 200_000, depth: 64 };
const filesAtOnce = 16;

/** Files that only a run's directory has. Runs often lie below the folder of the tasks, and a run must not see itself as a change. */
const runFiles = ["resume_fingerprint.json", "run.lock"];

export interface ReadTree {
  readonly value: string;
  readonly files: ReadonlyMap<string, string>;
}

interface Restriction {
  /** Nothing is read. */
  readonly onlySizes?: boolean;
  /** A folder with more files is not compared. */
  readonly most?: number;
}

/** Reads files and folders into digests, each file once. */
export class TreeReader {
  readonly problems = new ProblemLines();
  readonly #redact: Redact;
  readonly #giveWay: () => Promise<void>;
  readonly #limits: TreeLimits;
  readonly #digests = new Map<string, FileDigest>();
  readonly #trees = new Map<string, Tree>();

  constructor(redact: Redact, giveWay: () => Promise<void>, limits = defaultLimits) {
    this.#redact = redact;
    this.#limits = limits;
    this.#giveWay = giveWay;
  }

  /** @param real without links @param name for problems */
  async fileValue(real: string, { size, mode }: Pick<Stats, "size" | "mode">, name: string): Promise<string> {
    await this.#giveWay();
    if (size > this.#limits.bytes) {
      this.problems.add(`${name} is large and is compared by its size only`);
      return `${size} bytes`;
    }
    return this.#textOf(await this.#digest(real, size), (mode & 0o111) !== 0, name);
  }

  /** Undefined for one with more files than `most`. */
  async folder(
    root: string,
    filter: TreeFilter,
    name: string,
    { onlySizes = false, most = this.#limits.listed }: Restriction,
  ): Promise<ReadTree | undefined> {
    const tree = await this.#tree(root, filter, name, most);
    if (tree.isCut && most < this.#limits.listed) {
      this.problems.add(`${name} is not compared: it has more than ${most} files`);
      return undefined;
    }
    const entries = await this.#taking(root, filter, tree.entries);
    const bytes = entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.bytes : 0), 0);
    const isLarge = entries.length > this.#limits.files || bytes > this.#limits.bytes;
    if (tree.isCut) this.problems.add(`${name} has more than ${this.#limits.listed} files; the rest is not compared`);
    else if (isLarge && !onlySizes)
      this.problems.add(`${name} is large and is compared by names and sizes: ${entries.length} files, ${bytes} bytes`);
    const files = await this.#values(root, entries, onlySizes || isLarge, name);
    return { value: digestOf(JSON.stringify(files)), files: new Map(files) };
  }

  async #tree(root: string, filter: TreeFilter, name: string, most: number): Promise<Tree> {
    const key = JSON.stringify([root, filter.key, most]);
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const tree = await listTree(root, {
      isIgnored: (entry, path, kind) => filter.isIgnored(entry, path, kind) || (kind !== "file" && isRunDirectory(join(root, path))),
      onProblem: (path, problem) => this.problems.add(`${name}: ${this.#redact(path)} is left out: ${problem}`),
      giveWay: this.#giveWay,
      maxEntries: most,
      maxDepth: this.#limits.depth,
    });
    this.#trees.set(key, tree);
    return tree;
  }

  async #taking(root: string, { isIncluded, withoutTasks }: TreeFilter, all: readonly TreeEntry[]): Promise<readonly TreeEntry[]> {
    const entries = isIncluded === undefined ? all : all.filter(isIncluded);
    if (!withoutTasks) return entries;
    const taken: TreeEntry[] = [];
    for (const entry of entries) if (!(await isTaskFile(root, entry))) taken.push(entry);
    return taken;
  }

  async #values(root: string, entries: readonly TreeEntry[], onlySizes: boolean, name: string): Promise<[path: string, value: string][]> {
    const files: [string, string][] = [];
    for (let start = 0; start < entries.length; start += filesAtOnce) {
      await this.#giveWay();
      const some = entries.slice(start, start + filesAtOnce);
      const values = await Promise.all(some.map((entry) => this.#valueOf(root, entry, onlySizes, name)));
      for (const [index, { path }] of some.entries()) files.push([this.#redact(path), values[index] ?? ""]);
    }
    // By the names that are shown: the place of a file in the order must not tell of a secret in its name.
    return files.sort(([left, first], [right, second]) => compareCodePoints(left, right) || compareCodePoints(first, second));
  }

  async #valueOf(root: string, entry: TreeEntry, onlySizes: boolean, name: string): Promise<string> {
    if (entry.kind === "link") return `link to ${this.#redact(entry.target)}`;
    if (entry.kind === "closed") return "unreadable";
    if (onlySizes) return `${entry.bytes} bytes`;
    const digest = await this.#digest(join(root, entry.path), entry.bytes);
    return this.#textOf(digest, entry.isExecutable, `${name}: ${this.#redact(entry.path)}`);
  }

  async #digest(real: string, bytes: number): Promise<FileDigest> {
    const digest = this.#digests.get(real) ?? (await digestFile(real, bytes, this.#redact, this.#giveWay));
    this.#digests.set(real, digest);
    return digest;
  }

  #textOf(found: FileDigest, isExecutable: boolean, name: string): string {
    if (found.kind === "digest") return isExecutable ? `${found.digest} executable` : found.digest;
    this.problems.add(`${name} cannot be read: ${found.why}`);
    return "unreadable";
  }
}

/** Also the link to the latest one. */
function isRunDirectory(path: string): boolean {
  return runFiles.some((file) => existsSync(join(path, file)));
}

const maxTaskFileBytes = 1 << 20;

async function isTaskFile(root: string, entry: TreeEntry): Promise<boolean> {
  if (entry.kind !== "file" || entry.bytes > maxTaskFileBytes || !/\.ya?ml$/.test(entry.path)) return false;
  const text = await readFile(join(root, entry.path), "utf8").catch(() => "");
  return /^["']?(?:task_id|experiment_id)["']?[ \t]*:/m.test(text);
}
