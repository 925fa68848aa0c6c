import type { ResourceLimits } from "../../plan/schema/sandbox-schema.ts";

export interface EngineMachine {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** What a container gets. Always a finite number: a task without limits of its own must not take the machine down. */
export interface ContainerLimits {
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly pids: number;
}

const mebibyte = 1024 ** 2;
/** The engine refuses less. */
const smallestMemory = 6 * mebibyte;
const smallestDefaultMemory = 512 * mebibyte;
/** Enough for a browser or a Java build, far from the kernel's 32,768. */
const defaultPids = 2048;

/**
 * The task's limits, and for those it does not name a share of the machine: four fifths of the memory divided by the number of tasks
 * at once (at least 512 MiB, never more than nine tenths of all), all CPUs (the kernel shares them fairly), 2,048 processes.
 * `max_memory_mb: 0` means no limit of the task's own, as it does for `docker run`.
 */
export function containerLimits(task: ResourceLimits, machine: EngineMachine, concurrency: number): ContainerLimits {
  const share = Math.floor((machine.memoryBytes * 0.8) / Math.max(1, concurrency));
  const most = Math.floor(machine.memoryBytes * 0.9);
  const memoryBytes = task.max_memory_mb ? task.max_memory_mb * mebibyte : Math.min(Math.max(share, smallestDefaultMemory), most);
  // The engine refuses more CPUs than there are.
  const cpus = Math.min(task.max_cpus ?? machine.cpus, machine.cpus);
  return { memoryBytes: Math.max(memoryBytes, smallestMemory), cpus, pids: task.max_pids ?? defaultPids };
}
