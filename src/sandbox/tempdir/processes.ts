import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Every process of a sandbox has this variable: `<sandbox id>.<number of the exec>`. */
export const markerVariable = "EVALBATCH_SANDBOX";

export interface ProcessInfo {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: with the pid it names one process for good. */
  readonly startTime: number;
  readonly zombie: boolean;
  readonly hasTerminal: boolean;
}

/** A family is found by its marker and by its process groups; either alone can be shaken off. */
export interface Family {
  /** A whole marker, or a prefix of it that ends with a dot. */
  readonly marker: string;
  /** Process group -> start time of its leader, as far as it was seen. */
  readonly groups: ReadonlyMap<number, number | undefined>;
  /** A directory that is ours alone: who works in it, without a terminal, is ours too, even with a cleaned environment and a new session. */
  readonly directory?: string | undefined;
  /** A directory of pipes that only we hand out: who still holds one is ours, wherever it has gone and whatever it has cleaned. */
  readonly pipes?: string | undefined;
}

/** Fields of `/proc/<pid>/stat`; the name in parentheses may hold anything. `undefined` for a process that is gone, and without `/proc`. */
export function readProcess(pid: number): ProcessInfo | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const zombie = fields[0] === "Z" || fields[0] === "X";
    const [group, session, terminal, startTime] = [fields[2], fields[3], fields[4], fields[19]].map(Number);
    if (group === undefined || session === undefined || startTime === undefined) return undefined;
    return { pid, group, session, startTime, zombie, hasTerminal: terminal !== 0 };
  } catch {
    return undefined;
  }
}

/** The living members of a family. Empty where there is no `/proc` (macOS): there only process groups are known. */
export function listFamily(family: Family): ProcessInfo[] {
  const all = listPids()
    .map(readProcess)
    .filter((found) => found !== undefined);
  const groups = new Set(family.groups.keys());
  // A leader that started at another time is a stranger who got the number after our group had died out.
  for (const { pid, startTime } of all) {
    const known = family.groups.get(pid);
    if (known !== undefined && known !== startTime) groups.delete(pid);
  }
  // Every exec starts a session of its own, so a member that only dropped its marker still has our group and our session.
  const isOurs = ({ pid, group, session, hasTerminal }: ProcessInfo): boolean =>
    (groups.has(group) && session === group) ||
    hasMarker(pid, family.marker) ||
    // A shell with a terminal is a person looking around.
    (family.directory !== undefined && !hasTerminal && worksIn(pid, family.directory)) ||
    (family.pipes !== undefined && holdsFileOf(pid, family.pipes));
  return all.filter((found) => !found.zombie && found.pid !== process.pid && isOurs(found));
}

function worksIn(pid: number, directory: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${directory}/`);
  } catch {
    return false;
  }
}

function holdsFileOf(pid: number, directory: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkStartsWith(`/proc/${pid}/fd/${fd}`, `${directory}/`));
  } catch {
    return false;
  }
}

/** A handle may be closed while they are listed. */
function linkStartsWith(path: string, prefix: string): boolean {
  try {
    return readlinkSync(path).startsWith(prefix);
  } catch {
    return false;
  }
}

function listPids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function hasMarker(pid: number, marker: string): boolean {
  try {
    const wanted = `\0${markerVariable}=${marker}`;
    const text = `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
    return marker.endsWith(".") ? text.includes(wanted) : `${text}\0`.includes(`${wanted}\0`);
  } catch {
    return false;
  }
}

/** Sends a signal to a process (or to a group: a negative number). Whether somebody was there to get it. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether a group of ours still has a living member; zombies that nobody reaps do not count. */
export function groupLives(group: number): boolean {
  if (!signalProcess(-group, 0)) return false;
  return !hasProc() || listPids().some((pid) => isMember(readProcess(pid), group));
}

function isMember(found: ProcessInfo | undefined, group: number): boolean {
  return found !== undefined && !found.zombie && found.group === group;
}

function hasProc(): boolean {
  return existsSync("/proc/self/stat");
}

/** SIGKILL to the whole family, again until nobody is left: a member may have forked between look and kill. */
export async function killFamily(family: Family): Promise<{ readonly killed: number; readonly left: number }> {
  if (!hasProc()) {
    const alive = [...family.groups.keys()].filter((group) => signalProcess(-group, "SIGKILL"));
    return { killed: alive.length, left: 0 };
  }
  const seen = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const members = listFamily(family);
    if (members.length === 0) return { killed: seen.size, left: 0 };
    // All are stopped first: one that is killed early can't be started again by one that is still to come.
    for (const member of members) signalProcess(member.pid, "SIGSTOP");
    for (const member of members) {
      seen.add(`${member.pid}/${member.startTime}`);
      signalProcess(member.pid, "SIGKILL");
    }
    await sleep(round < 10 ? 2 : 50);
  }
  return { killed: seen.size, left: listFamily(family).length };
}
