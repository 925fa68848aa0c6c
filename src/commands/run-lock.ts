import { randomBytes } from "node:crypto";
import { link, lstat, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { InputError } from "../errors.ts";
import { storageError, systemCode } from "../results/atomic-file.ts";
import { currentOwner, type Owner, ownerState } from "../sandbox/docker/owner.ts";

const fileName = "run.lock";

const ownerSchema = z.object({ host: z.string(), boot: z.string(), pidNamespace: z.string(), pid: z.int(), startedAt: z.string() });

/** How often the holder of a directory touches its mark, in milliseconds. */
const beatMs = 30_000;
/** A mark that nobody has touched for so long is a dead process's, in milliseconds: far more than a busy machine needs between two touches. */
const silentMs = 15 * 60_000;

/** Turns to take a mark over: another process may do it in the same moment. */
const mostTries = 3;

/** What is asked of the file system; not each knows hard links. */
export interface LockFiles {
  readonly link: (existing: string, path: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
}

/**
 * Holds a run directory for this process: two runs in one directory would do every row twice and write over each other. The mark of a
 * process that is dead is taken over. Of one on another machine or in another container only its silence tells that it is.
 * @returns lets go of it; never throws
 * @throws InputError `run-dir-busy`; EnvironmentError where it cannot be written
 */
export async function lockRunDir(runDir: string, given: Partial<LockFiles> = {}): Promise<() => Promise<void>> {
  const files: LockFiles = { link, rename, ...given };
  const path = join(runDir, fileName);
  const self = currentOwner();
  // Processes of two containers may have one number.
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  for (let tries = 1; ; tries += 1) {
    if (await tryToLock(path, draft, self, files)) break;
    const mark = await readMark(path);
    if (mark !== undefined && (await isHeld(mark, self, draft))) throw busy(runDir, path, mark.owner);
    if (tries === mostTries) throw busy(runDir, path, mark?.owner);
    if (mark !== undefined) await takeAway(path, `${draft}.dead`, mark, files);
  }
  const beat = setInterval(() => void touch(path), beatMs);
  beat.unref();
  return async () => {
    clearInterval(beat);
    // Who slept for long, with the machine or as a stopped process, may have lost it to another one.
    if (isDeepStrictEqual(await ownerOf(path), self)) await rm(path, { force: true }).catch(() => {});
  };
}

/** Shared folders of virtual machines, network drives and FAT answer so to the wish for a hard link. */
const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"]);

async function tryToLock(path: string, draft: string, self: Owner, files: LockFiles): Promise<boolean> {
  try {
    await writeDraft(draft, self);
    await put(draft, path, self, files);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw storageError(error, path);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Puts a mark to its place, where none may be. Linked when it is whole: nobody may find it empty and take it for a dead one's. */
async function put(whole: string, path: string, owner: Owner, files: LockFiles): Promise<void> {
  await files.link(whole, path).catch(async (error: unknown) => {
    if (!withoutLinks.has(systemCode(error) ?? "")) throw error;
    // Whoever looks in the instant between making and writing it may take it for a dead one's: better than no run at all.
    await writeDraft(path, owner);
  });
}

/** Never through a link, nor over a file. */
async function writeDraft(draft: string, self: Owner): Promise<void> {
  await writeFile(draft, JSON.stringify(self), { flag: "wx" });
}

interface Mark {
  /** Tells one mark from another. */
  readonly identity: string;
  readonly touchedMs: number;
  /** Undefined where it says nothing that is of use. */
  readonly owner: Owner | undefined;
}

/** Undefined where there is none any more. */
async function readMark(path: string): Promise<Mark | undefined> {
  try {
    const { ino, mtimeMs, birthtimeMs } = await lstat(path);
    return { identity: `${ino} ${birthtimeMs}`, touchedMs: mtimeMs, owner: await ownerOf(path) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw storageError(error, path);
  }
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return ownerSchema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

async function isHeld({ owner, touchedMs }: Mark, self: Owner, draft: string): Promise<boolean> {
  // No process of ours leaves a mark that cannot be read, but one whose machine went down.
  if (owner === undefined) return false;
  const state = ownerState(owner, self);
  if (state !== "unknown") return state === "alive";
  return (await fileSystemMs(draft, self)) - touchedMs < silentMs;
}

/** What the time is for the disk: that of another machine may be the one that counts there. */
async function fileSystemMs(draft: string, self: Owner): Promise<number> {
  try {
    await writeDraft(draft, self);
    return (await lstat(draft)).mtimeMs;
  } catch (error) {
    throw storageError(error, draft);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Takes a dead one's mark away, and no other: in the meantime somebody else may have done so, and may hold the directory now. */
async function takeAway(path: string, aside: string, seen: Mark, files: LockFiles): Promise<void> {
  try {
    await files.rename(path, aside);
    const taken = await readMark(aside);
    // A living one's: back to its place, unless there is a newer one already.
    if (taken?.owner !== undefined && taken.identity !== seen.identity) await put(aside, path, taken.owner, files).catch(() => {});
    await rm(aside, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw storageError(error, path);
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

function busy(runDir: string, path: string, owner: Owner | undefined): InputError {
  const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
  return new InputError([
    {
      severity: "error",
      code: "run-dir-busy",
      message: `${who} is running in ${runDir}`,
      hint: `wait for its end, or name another directory; if there is no such process any more, remove ${path}`,
    },
  ]);
}
