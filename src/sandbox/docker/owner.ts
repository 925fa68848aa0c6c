import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The process that made a container: enough to tell later, on the same machine, whether it still lives. */
export interface Owner {
  readonly host: string;
  /** Empty where the system does not tell. */
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /** Start time of the process in the kernel's ticks: pids are used again. */
  readonly startedAt: string;
}

export type OwnerState = "alive" | "dead" | "unknown";

/** This process as an owner. Outside of Linux the fields that only `/proc` knows are empty. */
export function currentOwner(): Owner {
  return {
    host: hostname(),
    boot: readOr(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: readOr(() => readlinkSync("/proc/self/ns/pid")),
    pid: process.pid,
    startedAt: startTime(process.pid),
  };
}

/**
 * Whether the owner still lives, as far as `self` can know. A process on another machine, or in another pid namespace (a runner in
 * a container of its own), is unknown; one from before the last boot is dead.
 */
export function ownerState(owner: Owner, self: Owner): OwnerState {
  if (owner.host !== self.host) return "unknown";
  if (owner.boot !== self.boot) return owner.boot === "" || self.boot === "" ? "unknown" : "dead";
  if (owner.pidNamespace !== self.pidNamespace) return "unknown";
  if (!exists(owner.pid)) return "dead";
  const now = startTime(owner.pid);
  return owner.startedAt !== "" && now !== "" && now !== owner.startedAt ? "dead" : "alive";
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

/** Field 22 of `/proc/<pid>/stat`; the name before it may hold anything, `)` too. */
function startTime(pid: number): string {
  return readOr(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
