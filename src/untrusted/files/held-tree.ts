import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { bytesOf, joinRaw, rawOf, splitRaw } from "./raw-path.ts";

/** What an entry was when it was looked at. */
export interface Seen {
  readonly kind: "file" | "directory" | "link" | "hard link" | "other";
  readonly bytes: number;
  /** Tells the thing itself from another one that gets its name. */
  readonly identity: string;
}

export type Opened =
  | { readonly kind: "opened"; readonly fd: number; readonly bytes: number }
  | { readonly kind: "not opened"; readonly reason: string };

/**
 * A tree of somebody hostile, who may swap any part of it for a link at any time. Every directory is entered through the handle of the one
 * above, so that nothing outside of `root` can be reached; where the system has no paths to handles, real paths are compared instead. Raw
 * paths, relative to the root, which is `""`.
 */
export interface HeldTree extends Disposable {
  /** Sorted. @throws the system's error */
  list(directory: string): string[];
  /** Links not followed. @throws the system's error */
  look(path: string): Seen;
  /** Opens what `look` saw there, or what has replaced it: a regular file in any case. The caller closes it. Never throws, never waits. */
  openFile(path: string, seen: Seen): Opened;
}

/** Handles kept open for the next file, most of which lie near the last. */
const maxHandles = 64;
const directoryFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const fileFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * @param root absolute; it may itself be a link, since its place is the user's choice
 * @param useHandles whether the system may have paths to handles
 * @throws the system's error
 */
export function holdTree(root: string, useHandles = process.platform === "linux"): HeldTree {
  const real = realpathSync(root);
  const handles = useHandles ? openHandles(real) : undefined;
  const directories = handles ?? comparePaths(real);
  const at = (path: string): Buffer => {
    const [directory, name] = splitRaw(path);
    return bytesOf(joinRaw(directories.pathOf(directory), name));
  };
  const look = (path: string): Seen => seenOf(lstatSync(at(path), { bigint: true }));
  const attempt = (path: string, seen: Seen): Opened | "replaced" => {
    if (seen.kind !== "file") return { kind: "not opened", reason: reasonOf(seen) };
    let fd: number;
    try {
      fd = openSync(at(path), fileFlags);
    } catch (error) {
      return { kind: "not opened", reason: reasonOfError(error) };
    }
    const now = seenOf(fstatSync(fd, { bigint: true }));
    if (now.kind === "file" && now.identity === seen.identity) return { kind: "opened", fd, bytes: now.bytes };
    closeSync(fd);
    return now.kind === "hard link" ? { kind: "not opened", reason: reasonOf(now) } : "replaced";
  };
  return {
    list: (directory) =>
      readdirSync(bytesOf(directories.pathOf(directory)), { encoding: "buffer" })
        .map(rawOf)
        .sort(),
    look,
    openFile(path, seen) {
      try {
        let opened = attempt(path, seen);
        // A writer that replaces whole files, as ours does. Through handles the new one is as good as the old.
        if (opened === "replaced" && handles !== undefined) opened = attempt(path, look(path));
        return opened === "replaced" ? { kind: "not opened", reason: "changed meanwhile" } : opened;
      } catch (error) {
        return { kind: "not opened", reason: reasonOfError(error) };
      }
    },
    [Symbol.dispose]: () => directories.close(),
  };
}

function seenOf(stats: ReturnType<typeof lstatBig>): Seen {
  const kind = stats.isSymbolicLink()
    ? "link"
    : stats.isDirectory()
      ? "directory"
      : !stats.isFile()
        ? "other"
        : stats.nlink > 1n
          ? "hard link"
          : "file";
  return { kind, bytes: Number(stats.size), identity: `${stats.dev}:${stats.ino}` };
}

const lstatBig = (path: string) => lstatSync(path, { bigint: true });

/**
 * Why a thing that is no plain file stays. No exception is made for hard links with the names of our results: we write those by renaming, so
 * they have one name only, and what has two is not (or no longer) what we wrote.
 */
export function reasonOf(seen: Seen): string {
  if (seen.kind === "link") return "link";
  if (seen.kind === "hard link") return "hard link";
  return seen.kind === "file" ? "changed meanwhile" : "no regular file";
}

export function reasonOfError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "ESTALE"].includes(code)) return "changed meanwhile";
  return /^E[A-Z0-9]+$/.test(code) ? `cannot be read (${code})` : "cannot be read";
}

interface Directories {
  /** Raw path that leads to the directory now, good until the next call. */
  pathOf(directory: string): string;
  close(): void;
}

/** `undefined` where a handle has no path. */
function openHandles(root: string): Directories | undefined {
  const open = new Map<string, number>();
  const pathTo = (fd: number): string => `/proc/self/fd/${fd}`;
  const close = (): void => {
    for (const fd of open.values()) closeSync(fd);
    open.clear();
  };
  const handleOf = (directory: string): number => {
    const known = open.get(directory);
    if (known !== undefined) {
      open.delete(directory);
      open.set(directory, known);
      return known;
    }
    const [above, name] = splitRaw(directory);
    const path = directory === "" ? root : bytesOf(joinRaw(pathTo(handleOf(above)), name));
    const fd = openSync(path, directoryFlags);
    open.set(directory, fd);
    for (const [oldest, handle] of open) {
      if (open.size <= maxHandles) break;
      open.delete(oldest);
      closeSync(handle);
    }
    return fd;
  };
  const rootHandle = handleOf("");
  const [own, reached] = [fstatSync(rootHandle, { bigint: true }), statSync(pathTo(rootHandle), { bigint: true, throwIfNoEntry: false })];
  if (reached?.ino === own.ino && reached.dev === own.dev) return { pathOf: (directory) => pathTo(handleOf(directory)), close };
  close();
  return undefined;
}

/** A directory is what it was only while its real path is the one it was found at. */
function comparePaths(root: string): Directories {
  const slashed = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"));
  const rawRoot = slashed(rawOf(Buffer.from(root)));
  return {
    pathOf(directory) {
      const expected = directory === "" ? rawRoot : joinRaw(rawRoot.replace(/\/$/, ""), directory);
      const found = rawOf(realpathSync(bytesOf(expected), { encoding: "buffer" }));
      if (slashed(found) !== expected) throw Object.assign(new Error(`${directory} is another directory by now`), { code: "ELOOP" });
      return expected;
    },
    close: () => {},
  };
}
