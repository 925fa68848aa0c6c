import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statSync } from "node:fs";
import { isCode } from "./confine.ts";

/** A directory that is held open: its path may come to mean another one, the handle cannot. */
export interface HeldDirectory {
  /** Absolute path that it had when it was opened. */
  readonly at: string;
  /** Leads to the directory itself, whatever stands at `at` now; without a usable `/proc` it is the same as `at`. */
  readonly path: string;
  /** What stands at `at` now. While a directory is held, no other one can get its inode number. */
  readonly state: () => "same" | "replaced" | "removed";
  /** Lets its owner read, write and enter it, where that is possible. */
  readonly open: () => void;
  /** Where it stands now, after a move; `undefined` when it was removed, or nobody can tell. */
  readonly whereNow: () => string | undefined;
  /** One more handle: whoever works with a directory for a while keeps its own, as a closed one's number is given to others. */
  readonly again: () => HeldDirectory;
  readonly close: () => void;
}

/** `O_PATH`, which Node has no name for: opens without any right to the thing itself. */
const pathOnly = process.platform === "linux" ? 0o10000000 : 0;

/** @throws the system's error: `ENOTDIR` or `ELOOP` for a link and for anything else that is no directory */
export function holdDirectory(at: string): HeldDirectory {
  return held(openDirectory(at), at);
}

/** Closes the handle when the work is done. */
export async function withHandle<T>(handle: HeldDirectory, work: (handle: HeldDirectory) => Promise<T>): Promise<T> {
  try {
    return await work(handle);
  } finally {
    handle.close();
  }
}

function held(fd: number, at: string): HeldDirectory {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  const isSame = (found: { readonly dev: bigint; readonly ino: bigint } | undefined): boolean => found?.dev === dev && found.ino === ino;
  const own = ownPath(fd);
  const path = isSame(statOrUndefined(own)) ? own : at;
  return {
    at,
    path,
    state: () => {
      const found = lstatOrUndefined(at);
      if (found === undefined) return "removed";
      return isSame(found) ? "same" : "replaced";
    },
    open: () => {
      const mode = fstatSync(fd).mode & 0o777;
      if ((mode & 0o700) === 0o700) return;
      // Where that fails it is not ours: reading it will tell.
      if (path === at) setModeWithoutLinks(at, mode | 0o700);
      else tryChmod(path, mode | 0o700);
    },
    whereNow: () => {
      const now = readlinkOrUndefined(path);
      return now !== undefined && isSame(lstatOrUndefined(now)) ? now : undefined;
    },
    again: () => held(openDirectory(`${path}/.`), at),
    close: () => closeSync(fd),
  };
}

function openDirectory(at: string): number {
  const flags = pathOnly | constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    return openSync(at, flags);
  } catch (error) {
    // One that its owner closed, where a handle needs the right to read.
    if (pathOnly !== 0 || !isCode(error, "EACCES") || !setModeWithoutLinks(at, 0o700)) throw error;
    return openSync(at, flags);
  }
}

/** With our number instead of `self`, so that a child process may be given it too. */
function ownPath(fd: number): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

function statOrUndefined(path: string) {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function readlinkOrUndefined(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function lstatOrUndefined(path: string) {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw error;
  }
}

/** Sets the mode of a regular file or directory, never through a link. Whether it could. */
export function setModeWithoutLinks(path: string, mode: number): boolean {
  if (pathOnly === 0) return !isLink(path) && tryChmod(path, mode);
  let fd: number;
  try {
    fd = openSync(path, pathOnly | constants.O_NOFOLLOW);
  } catch {
    return false;
  }
  try {
    // `fchmod` does not take such a handle; of a link this fails.
    return tryChmod(ownPath(fd), mode);
  } finally {
    closeSync(fd);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function tryChmod(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
