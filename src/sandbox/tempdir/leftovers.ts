import { execFile } from "node:child_process";
import { lstatSync, readFileSync, readlinkSync, unlinkSync } from "node:fs";
import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { HeldDirectory } from "./held-directory.ts";
import { killFamily, readProcess, signalProcess } from "./processes.ts";

export const directoryPrefix = "evalbatch-";
const ownerFile = "owner.json";
/** A directory without an owner file is one that died while it was made; younger ones may still be in the making. */
const unownedAfterMs = 3_600_000;

const ownerSchema = z.object({
  sandbox: z.string(),
  run: z.string(),
  pid: z.number().int(),
  /** Ticks since boot; null where there is no `/proc`. */
  startTime: z.number().nullable(),
  /** Boot and pid namespace: elsewhere the pid says nothing. */
  machine: z.string(),
  /** Epoch milliseconds after which nobody can need it. */
  expiresAt: z.number(),
});
export type Owner = z.infer<typeof ownerSchema>;

/** Says in `root` whose it is, for the sweep of a later run. */
export async function writeOwner(root: string, owner: Pick<Owner, "sandbox" | "run" | "expiresAt">): Promise<void> {
  const own: Owner = { ...owner, pid: process.pid, startTime: readProcess(process.pid)?.startTime ?? null, machine: machineId() };
  await writeFile(join(root, ownerFile), JSON.stringify(own), { mode: 0o600 });
}

function machineId(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "unknown";
  }
}

/** Removes the directories of dead runs below `tmpDir`, with their processes. Gives how many; never throws. */
export async function sweepLeftovers(tmpDir: string, now: number, log: (line: string) => void): Promise<number> {
  let removed = 0;
  const names = await readdir(tmpDir).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(directoryPrefix))) {
    const root = join(tmpDir, name);
    try {
      const stats = await lstat(root);
      // In a shared temporary directory somebody else may have made anything by this name.
      if (!stats.isDirectory() || stats.uid !== process.getuid?.()) continue;
      const owner = await readOwner(root);
      const dead = owner === undefined ? now - stats.mtimeMs > unownedAfterMs : isDead(owner, now);
      if (!dead) continue;
      if (owner !== undefined) await killFamily({ marker: `${owner.sandbox}.`, groups: new Map(), directory: root });
      await removeTree(root);
      removed += 1;
      log(`removed ${root}, left behind by ${owner === undefined ? "an unfinished start" : `run ${owner.run}`}`);
    } catch (error) {
      log(`could not remove ${root}: ${String(error)}`);
    }
  }
  return removed;
}

async function readOwner(root: string): Promise<Owner | undefined> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(join(root, ownerFile), "utf8")));
  } catch {
    return undefined;
  }
}

function isDead(owner: Owner, now: number): boolean {
  if (now > owner.expiresAt) return true;
  if (owner.machine !== machineId()) return false;
  if (owner.startTime === null) return !signalProcess(owner.pid, 0);
  const found = readProcess(owner.pid);
  return found === undefined || found.zombie || found.startTime !== owner.startTime;
}

/**
 * Removes that very directory, also where it was moved to, and nothing that has taken its place but a link.
 * @throws when it cannot be removed, or cannot be found any more
 */
export async function removeHeld(held: HeldDirectory): Promise<void> {
  const state = held.state();
  if (state === "same") return await removeTree(held.at);
  if (lstatSync(held.at, { throwIfNoEntry: false })?.isSymbolicLink() === true) unlinkSync(held.at);
  const now = held.whereNow();
  if (now !== undefined) await removeTree(now);
}

/** Removes a tree also where a task took its own rights away or nested deeper than a path can be long. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    const run = promisify(execFile);
    await run("chmod", ["-R", "u+rwx", "--", path]).catch(() => undefined);
    await run("rm", ["-rf", "--", path]);
  }
}
