import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { storageError } from "../results/atomic-file.ts";

// Kits are built beside the place where they will stand, in `.fetching-<machine>-<pid>-<random>`: whatever kills the builder,
// what has no such name is whole, and what has it and no builder is rubbish.

const namePattern = /^\.fetching-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}$/;

/** Builders of other machines on a shared disk cannot be asked whether they live; none takes as long. */
const oldMs = 6 * 60 * 60_000;

/** Makes a directory of our own in `parent`. @throws EnvironmentError `cannot-write`, `disk-full` */
export async function makeTemporary(parent: string): Promise<string> {
  const path = join(parent, `.fetching-${machineId()}-${process.pid}-${randomBytes(4).toString("hex")}`);
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
    return path;
  } catch (error) {
    throw storageError(error, path);
  }
}

/** Puts a finished directory in its place. False when something stands there already, e.g. the same by another process. */
export async function putInPlace(temporary: string, place: string): Promise<boolean> {
  try {
    await rename(temporary, place);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "EPERM") return false;
    throw storageError(error, place);
  }
}

/** Takes a broken directory out of the way, at once for everybody else, and removes it. */
export async function discard(parent: string, path: string): Promise<void> {
  const aside = await makeTemporary(parent);
  await rename(path, join(aside, "broken")).catch(() => undefined);
  await removeDirectory(aside);
}

/** Never throws: what stays is found by the next run. */
export async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Removes what builders that are dead left in `parent`. Never throws. */
export async function removeStale(parent: string, nowMs: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const path = join(parent, name);
    const match = namePattern.exec(name);
    if (match === null) continue;
    const [machine, pid] = [match[1], Number(match[2])];
    const isDead = machine === machineId() ? pid !== process.pid && !exists(pid) : false;
    const changed = await stat(path).catch(() => undefined);
    if (isDead || (changed !== undefined && nowMs - changed.mtimeMs > oldMs)) await removeDirectory(path);
  }
}

/** The same for all processes that can see each other by number. */
function machineId(): string {
  const boot = readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  const namespace = readOr(() => readlinkSync("/proc/self/ns/pid"));
  return createHash("sha256").update(`${hostname()} ${boot} ${namespace}`).digest("hex").slice(0, 8);
}

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
