import { closeSync, fchmodSync, lstatSync, openSync, writeFileSync } from "node:fs";
import { chmod, mkdir, open, rm, symlink } from "node:fs/promises";
import { posix } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import type { FileEntry } from "../sandbox.ts";
import { resolveInside } from "./confine.ts";
import { throwIfDiskFull } from "./disk-full.ts";
import type { HeldDirectory } from "./held-directory.ts";

/**
 * Writes entries below `destination`, which must end inside of one of `roots` whatever links the task has laid there.
 * @throws EnvironmentError `disk-full`, SandboxSetupError `put-outside` for a place outside or a path with `..`, `put-failed` with the system's reason as cause
 */
export async function putFilesInto(
  roots: readonly HeldDirectory[],
  destination: string,
  entries: Iterable<FileEntry> | AsyncIterable<FileEntry>,
): Promise<void> {
  const held = roots.find(({ at }) => destination === at || destination.startsWith(`${at}/`));
  if (held === undefined) throw outside(destination);
  const root = held.at;
  const base = posix.relative(root, posix.normalize(destination));
  if (base === ".." || base.startsWith("../")) throw outside(destination);
  const state = held.state();
  if (state !== "same") throw new SandboxSetupError("put-failed", `cannot write into the sandbox: ${root} was ${state}`);
  const known = new Map<string, string>();
  const directory = (relative: string): Promise<string> => ensureDirectory(root, relative, known);
  await directory(base);
  for await (const entry of entries) {
    if (!isPlainPath(entry.path)) throw outside(entry.path);
    const relative = posix.join(base, entry.path);
    try {
      if (entry.kind === "directory") {
        await chmod(await directory(relative), entry.mode & 0o777);
      } else {
        const replaced = await putLeaf(posix.join(await directory(posix.dirname(relative)), posix.basename(relative)), entry);
        // What was replaced may have been a link to a directory on the way of others.
        if (replaced) known.clear();
      }
    } catch (error) {
      if (error instanceof SandboxSetupError) throw error;
      throwIfDiskFull(error, root);
      throw new SandboxSetupError("put-failed", `cannot write ${relative} into the sandbox`, { cause: error });
    }
  }
}

function outside(path: string): SandboxSetupError {
  return new SandboxSetupError("put-outside", `will not write outside of the sandbox: ${path}`);
}

/** Relative, without `..`, empty parts or a NUL. */
export function isPlainPath(path: string): boolean {
  return path !== "" && !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Makes the directory with its parents; a link on the way is followed only inside of `root`. */
async function ensureDirectory(root: string, relative: string, known: Map<string, string>): Promise<string> {
  const done = known.get(relative);
  if (done !== undefined) return done;
  if (relative === "" || relative === ".") return root;
  const parent = await ensureDirectory(root, posix.dirname(relative), known);
  const wanted = posix.join(parent, posix.basename(relative));
  const found = await resolveInside(root, wanted);
  if (found.kind === "outside") throw outside(relative);
  if (found.kind === "found" && !found.info.isDirectory()) {
    throw new SandboxSetupError("put-failed", `cannot make the directory ${relative} in the sandbox: a file is in the way`);
  }
  if (found.kind === "missing") {
    if (found.path === undefined) throw new SandboxSetupError("put-failed", `cannot make the directory ${relative} in the sandbox`);
    await mkdir(found.path);
  }
  const path = found.path ?? wanted;
  known.set(relative, path);
  return path;
}

/** Bytes up to which a file is written in one go: for many small files four trips through the thread pool each would be the larger part. */
const smallBytes = 256 * 1024;

/** Whether something else stood there before. */
async function putLeaf(path: string, entry: Exclude<FileEntry, { kind: "directory" }>): Promise<boolean> {
  const replaced = await removeLeaf(path);
  if (entry.kind === "symlink") {
    await symlink(entry.target, path);
    return replaced;
  }
  const mode = entry.mode & 0o777;
  if (entry.content instanceof Uint8Array && entry.content.length <= smallBytes) {
    putSmall(path, mode, entry.content);
    return replaced;
  }
  const handle = await open(path, newFile, mode);
  try {
    await handle.writeFile(entry.content instanceof Uint8Array ? entry.content : entry.content.open());
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
  return replaced;
}

/** Neither follows a link nor opens what somebody else has put there. */
const newFile = "wx";

function putSmall(path: string, mode: number, content: Uint8Array): void {
  const fd = openSync(path, newFile, mode);
  try {
    writeFileSync(fd, content);
    // The umask must not take anything away.
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

async function removeLeaf(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return false;
  await rm(path);
  return true;
}
