import type { Redactor } from "../redact.ts";
import { joinRaw, showRaw, splitRaw } from "./raw-path.ts";
import { numberedName, pathIdentity, safeName } from "./safe-name.ts";

/** Bytes of a directory's path in what leaves; deeper files are put there, so that every path stays short enough to unpack. */
const maxDirectoryBytes = 600;
/** Bytes of all paths in the list of renamed files: who makes fifty thousand names of 4 KB each gets no list of 200 MB. */
const maxListBytes = 16 * 1024 * 1024;

export interface Renamed {
  /** As it was, secrets hidden. */
  readonly path: string;
  /** As it leaves. */
  readonly name: string;
  /** The path was not UTF-8: its bytes are `path` with every `%XX` decoded. */
  readonly percent_encoded?: true;
}

export interface NamedFile {
  /** Relative to staging, with `/`. */
  readonly name: string;
  /** Places that were hidden in the path. */
  readonly redactions: number;
}

/** The mask itself is nothing that a name can hold. */
const withoutMask = (part: string): string => part.replaceAll("***", "redacted");

/** Gives every path a name that can leave. */
export interface NameMap {
  /** `undefined` when the list of renamed files is full; a raw path is to be given once. */
  take(raw: string): NamedFile | undefined;
  /** Takes the last name back: its file did not leave after all. */
  forget(raw: string): void;
  renamed(): Renamed[];
}

/** Names are unique, also where case does not count; `reserved` are never given. Who comes first keeps its name. */
export function createNameMap(redactor: Redactor, reserved: readonly string[]): NameMap {
  const used = new Set(reserved.map(pathIdentity));
  const nextNumber = new Map<string, number>();
  const directories = new Map<string, string>([["", ""]]);
  const renamed = new Map<string, Renamed>();
  let listBytes = 0;

  const unique = (directory: string, name: string): string => {
    const first = joinRaw(directory, name);
    const key = pathIdentity(first);
    let path = first;
    let number = nextNumber.get(key) ?? 2;
    for (; used.has(pathIdentity(path)); number += 1) path = joinRaw(directory, numberedName(name, number));
    if (path !== first) nextNumber.set(key, number);
    used.add(pathIdentity(path));
    return path;
  };

  /** `key` tells paths with hidden parts from raw ones of the same text. */
  const enter = (key: string, parent: string, name: string): string => {
    const known = directories.get(key);
    if (known !== undefined) return known;
    const tooLong = Buffer.byteLength(parent) + 1 + Buffer.byteLength(name) > maxDirectoryBytes;
    const own = tooLong ? parent : unique(parent, name);
    directories.set(key, own);
    return own;
  };

  const directoryOf = (raw: string): string => {
    const known = directories.get(raw);
    if (known !== undefined) return known;
    const [above, part] = splitRaw(raw);
    return enter(raw, directoryOf(above), safeName(showRaw(part).text));
  };

  /** `path`: with secrets hidden. Up to the first part that holds one, its directories are those of other files. */
  const hiddenName = (raw: string, path: string): string => {
    const rawParts = raw.split("/");
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    const shared = parts.findIndex((part, index) => showRaw(rawParts[index] ?? "").text !== part);
    const from = shared < 0 ? Math.min(parts.length, rawParts.length - 1) : shared;
    let directory = directoryOf(rawParts.slice(0, from).join("/"));
    for (let depth = from; depth < parts.length; depth += 1) {
      directory = enter(`\0${parts.slice(0, depth + 1).join("/")}`, directory, safeName(withoutMask(parts[depth] ?? "")));
    }
    return unique(directory, safeName(withoutMask(name)));
  };

  return {
    take(raw) {
      const shown = showRaw(raw);
      const { text: path, count: redactions } = redactor.redact(shown.text);
      const [above, part] = splitRaw(raw);
      const name = redactions === 0 ? unique(directoryOf(above), safeName(showRaw(part).text)) : hiddenName(raw, path);
      if (name === path && !shown.encoded) return { name, redactions };
      listBytes += Buffer.byteLength(path) + Buffer.byteLength(name);
      if (listBytes > maxListBytes) return undefined;
      renamed.set(raw, { path, name, ...(shown.encoded ? { percent_encoded: true as const } : {}) });
      return { name, redactions };
    },
    forget: (raw) => void renamed.delete(raw),
    renamed: () => [...renamed.values()],
  };
}
