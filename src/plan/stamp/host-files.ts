import { type Stats, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { escapeInvisible } from "../found-text.ts";
import { isMissing, readFailure } from "../read-failure.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import type { Redact } from "./canonical.ts";
import { FolderListings } from "./folder-listings.ts";
import type { HostUse } from "./host-uses.ts";
import type { PathNames } from "./path-names.ts";
import { filterOf } from "./tree-filters.ts";
import { TreeReader } from "./tree-reader.ts";

/** In the place of a digest. */
const missing = "missing";
const closed = "unreadable";
const notCompared = "not compared";

/** A file of somebody's machine that is as small as this may be nothing but a password, which its digest would give away. */
const smallBytes = 1024;
/** Folders of somebody's machine are not read, only listed, and only up to here. */
const maxMountedFiles = 2_000;

/** A part of a stamp: `file a/b.py` or `folder a`, and the digest of it. */
export type Part = readonly [name: string, value: string];

interface Found {
  readonly kind: "file" | "folder";
  readonly value: string;
  readonly files?: ReadonlyMap<string, string> | undefined;
  /** Where it really is. */
  readonly real?: string | undefined;
}

/** Looks at what tasks name on the host; at each file and folder once, however many tasks name it. */
export class HostFiles {
  readonly listings = new FolderListings();
  readonly #reader: TreeReader;
  readonly #names: PathNames;
  readonly #redact: Redact;
  readonly #found = new Map<string, Found>();

  constructor(options: { readonly names: PathNames; readonly redact: Redact; readonly giveWay: () => Promise<void> }) {
    this.#names = options.names;
    this.#redact = options.redact;
    this.#reader = new TreeReader(options.redact, options.giveWay);
  }

  /** What could not be read, one line each, sorted. */
  get problems(): readonly string[] {
    return this.#reader.problems.list();
  }

  /** @throws what `giveWay` throws, and nothing of the file system's */
  async partsOf(use: HostUse, task: ResolvedTask): Promise<Part[]> {
    if (use.path === undefined) return [[`${use.wanted} ${this.#shown(use.written)}`, missing]];
    const name = this.#shown(this.#names.nameOf(use.path, use.written, task));
    const isOwn = this.#names.isOwn(use.path, task);
    const key = JSON.stringify([use.path, use.use, use.wanted, isOwn]);
    let found = this.#found.get(key);
    if (found === undefined) {
      found = await this.#look(use.path, use, name, isOwn);
      this.#found.set(key, found);
    }
    if (found.files !== undefined && found.real !== undefined) this.listings.add(`folder ${name}`, found.real, found.files);
    const part: Part = [`${found.kind} ${name}`, found.value];
    if (use.around === undefined || found.kind === "folder") return [part];
    const around: HostUse = { path: use.around, written: ".", wanted: "folder", use: { as: "task folder" } };
    return [part, ...(await this.partsOf(around, task))];
  }

  #shown(name: string): string {
    return escapeInvisible(this.#redact(name));
  }

  async #look(path: string, { use, wanted }: HostUse, name: string, isOwn: boolean): Promise<Found> {
    const at = await this.#stats(path, `${wanted} ${name}`);
    if (typeof at === "string") return { kind: wanted, value: at };
    const { real, stats } = at;
    const kind = stats.isDirectory() ? "folder" : "file";
    if (use.as === "mount" && (use.isWritable || !(stats.isFile() || stats.isDirectory()))) return { kind, value: notCompared };
    if (stats.isFile()) {
      if (use.as === "mount" && !isOwn && stats.size <= smallBytes) return { kind, value: `${stats.size} bytes` };
      return { kind, value: await this.#reader.fileValue(real, stats, `file ${name}`) };
    }
    if (!stats.isDirectory()) {
      this.#reader.problems.add(`file ${name} is left out: it is neither a file nor a folder`);
      return { kind, value: notCompared };
    }
    const filter = await filterOf(use, real);
    const isListed = use.as === "mount" && !isOwn;
    const tree = await this.#reader.folder(real, filter, `folder ${name}`, isListed ? { onlySizes: true, most: maxMountedFiles } : {});
    if (tree === undefined) return { kind, value: notCompared };
    return { kind, value: tree.value, files: tree.files, real };
  }

  /** Of the missing most are known to be: a plan has told of them. */
  async #stats(path: string, name: string): Promise<{ readonly real: string; readonly stats: Stats } | typeof missing | typeof closed> {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? missing : { real: await realpath(path), stats };
    } catch (error) {
      const why = readFailure(error);
      if (why === undefined) throw error;
      if (isMissing(error)) return missing;
      this.#reader.problems.add(`${name} cannot be read: ${why}`);
      return closed;
    }
  }
}
