/** More files than these help nobody who looks for what has changed. */
const maxFilesOfOne = 1_000;
const maxFiles = 20_000;

interface Listing {
  readonly root: string;
  /** Null: two folders have this name. */
  files: Map<string, string> | null;
}

/** The files of folders, so that a difference can be told file by file. Of no digest they are part. */
export class FolderListings {
  readonly #known = new Map<string, Listing>();
  readonly #added = new Set<unknown>();
  #left = maxFiles;

  /**
   * @param root where it really is
   * @param files relative paths and their digests; of a folder that tasks see through different filters, all that any of them sees
   */
  add(name: string, root: string, files: ReadonlyMap<string, string>): void {
    const known = this.#known.get(name) ?? { root, files: new Map() };
    this.#known.set(name, known);
    if (known.root !== root) known.files = null;
    if (known.files === null || this.#added.has(files) || files.size > Math.min(maxFilesOfOne, this.#left)) return;
    this.#added.add(files);
    this.#left -= files.size;
    for (const [path, digest] of files) known.files.set(path, digest);
  }

  /** By the folder's name in the stamps. */
  all(): Record<string, Record<string, string>> {
    const told: [string, Record<string, string>][] = [];
    for (const [name, { files }] of this.#known) if (files !== null && files.size > 0) told.push([name, Object.fromEntries(files)]);
    return Object.fromEntries(told);
  }
}
