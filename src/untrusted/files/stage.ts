import { closeSync, mkdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { EnvironmentError, InternalError } from "../../errors.ts";
import type { Redactor } from "../redact.ts";
import { copyFile } from "./copy-file.ts";
import { type FoundFile, findFiles } from "./find-files.ts";
import { type HeldTree, holdTree, reasonOfError } from "./held-tree.ts";
import type { StageLimits } from "./limits.ts";
import { createLeftOutList, type FilesManifest, type LeftOutList, manifestName } from "./manifest.ts";
import { createNameMap, type NameMap } from "./name-map.ts";
import { createStagedFile, orStagingError } from "./staged-file.ts";

export type Selection =
  /** Lower rank first: what must never be lost for a limit. `groupBytes` limits each group. Of a directory: look inside it. */
  | { readonly kind: "take"; readonly rank: number; readonly group?: string | undefined }
  /** `undefined`: it is not part of this at all, and not worth a word. */
  | { readonly kind: "leave"; readonly reason: string | undefined };

export interface StageOptions {
  /** Absolute. The tree to copy from, in which everything may be hostile. */
  readonly root: string;
  /** Absolute: a directory that we made, empty. Not where a task could reach it. */
  readonly staging: string;
  /**
   * What belongs to it. `path`: relative to `root`, with `/`. A directory is asked about twice, the second time with the names in it.
   */
  select(path: string, kind: "file" | "directory", names?: readonly string[]): Selection;
  /** Texts are redacted while they are copied; of other files, those that hold a secret are left out. */
  readonly redactor: Redactor;
  readonly limits: StageLimits;
  /** When it aborts, what is not copied by then is left out. */
  readonly signal?: AbortSignal | undefined;
}

export interface Staged {
  /** Absolute, in staging, the manifest included. */
  readonly files: readonly string[];
  /** Without the manifest. */
  readonly bytes: number;
  /** Places in which a secret was hidden, in texts and names. */
  readonly redactions: number;
  readonly manifest: FilesManifest;
}

/**
 * Copies what may leave this machine: regular files only, nothing through a link, secrets hidden, under names that every system takes,
 * within the limits. What was left out, and what has another name, stands in `evalbatch-files.json` beside them. A tree that is missing
 * or unreadable, wholly or in part, and a disk that gets full, are entries there too.
 * @throws EnvironmentError `disk-full`, `cannot-write` when not even that file can be written
 */
export async function stageFiles(options: StageOptions): Promise<Staged> {
  refuseToEatItself(options.root, options.staging);
  const leftOut = createLeftOutList(options.redactor);
  const stage = new Stage(options, leftOut);
  try {
    using tree = holdTree(options.root);
    const { select, signal } = options;
    const found = await findFiles(tree, { select, signal, leftOut });
    await stage.copyAll(tree, found);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    leftOut.add({ raw: "", kind: "directory", reason: reasonOfError(error) });
  }
  return stage.finish();
}

function refuseToEatItself(root: string, staging: string): void {
  const way = relative(staging, root);
  const leaves = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (!leaves) throw new InternalError(`${root} would be copied into itself`);
}

const filesPerTurn = 32;

interface Group {
  bytes: number;
  files: number;
}

/** The copies made so far and the room that is left. */
class Stage {
  readonly #options: StageOptions;
  readonly #leftOut: LeftOutList;
  readonly #names: NameMap;
  readonly #files: string[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #directories = new Set<string>();
  #bytes = 0;
  #redactions = 0;
  #diskFull = false;

  constructor(options: StageOptions, leftOut: LeftOutList) {
    this.#options = options;
    this.#leftOut = leftOut;
    this.#names = createNameMap(options.redactor, [manifestName]);
  }

  async copyAll(tree: HeldTree, found: readonly FoundFile[]): Promise<void> {
    for (const [index, file] of found.entries()) {
      if (index % filesPerTurn === 0) await setImmediate();
      const reason = await this.#copy(tree, file);
      if (reason !== undefined) this.#leftOut.add({ raw: file.raw, kind: "file", reason, bytes: file.seen.bytes });
    }
  }

  /** Why it was left out, if it was. */
  async #copy(tree: HeldTree, file: FoundFile): Promise<string | undefined> {
    const { limits, redactor, signal } = this.#options;
    if (signal?.aborted === true) return "no time left";
    if (this.#diskFull) return "disk full";
    if (this.#files.length >= limits.files) return "too many files";
    const group = this.#groupOf(file);
    if (group !== undefined && group.files >= limits.groupFiles) return "too many files of one task";
    const opened = tree.openFile(file.raw, file.seen);
    if (opened.kind === "not opened") return opened.reason;
    try {
      const room = this.#roomFor(group);
      if (opened.bytes > limits.fileBytes) return "file too large";
      if (opened.bytes > room.bytes) return room.reason;
      const named = this.#names.take(file.raw);
      if (named === undefined) return "too many names to change";
      const target = this.#makePlace(named.name);
      const maxBytes = Math.min(limits.fileBytes, room.bytes);
      const copied = await copyFile(opened.fd, opened.bytes, target, { redactor, maxBytes, json: /\.json$/i.test(file.raw), signal });
      if (copied.kind === "left") {
        this.#names.forget(file.raw);
        return copied.reason;
      }
      this.#count(target, group, copied.bytes, copied.redactions + named.redactions);
      return undefined;
    } catch (error) {
      this.#names.forget(file.raw);
      if (!(error instanceof EnvironmentError)) return reasonOfError(error);
      if (error.code !== "disk-full") throw error;
      this.#diskFull = true;
      return "disk full";
    } finally {
      closeSync(opened.fd);
    }
  }

  #groupOf(file: FoundFile): Group | undefined {
    if (file.group === undefined) return undefined;
    const group = this.#groups.get(file.group) ?? { bytes: 0, files: 0 };
    this.#groups.set(file.group, group);
    return group;
  }

  #roomFor(group: Group | undefined): { readonly bytes: number; readonly reason: string } {
    const { totalBytes, groupBytes } = this.#options.limits;
    const ofAll = totalBytes - this.#bytes;
    const ofGroup = group === undefined ? ofAll : groupBytes - group.bytes;
    return ofGroup < ofAll ? { bytes: ofGroup, reason: "task too large" } : { bytes: ofAll, reason: "all files together too large" };
  }

  #makePlace(name: string): string {
    const target = join(this.#options.staging, name);
    const directory = dirname(target);
    if (!this.#directories.has(directory)) {
      orStagingError(directory, () => mkdirSync(directory, { recursive: true }));
      this.#directories.add(directory);
    }
    return target;
  }

  #count(target: string, group: Group | undefined, bytes: number, redactions: number): void {
    this.#files.push(target);
    this.#bytes += bytes;
    this.#redactions += redactions;
    if (group === undefined) return;
    group.bytes += bytes;
    group.files += 1;
  }

  finish(): Staged {
    const redactions = this.#redactions + this.#leftOut.redactions;
    const manifest: FilesManifest = {
      schema_version: 1,
      files: this.#files.length,
      bytes: this.#bytes,
      redactions,
      ...this.#leftOut.finish(),
      renamed: this.#names.renamed(),
    };
    const path = join(this.#options.staging, manifestName);
    const file = createStagedFile(path, Number.POSITIVE_INFINITY);
    let complete = false;
    try {
      complete = file.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    } finally {
      if (complete) file.close();
      else file.discard();
    }
    return { files: [...this.#files, path], bytes: this.#bytes, redactions, manifest };
  }
}
