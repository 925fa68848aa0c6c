export interface Machine {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/** What is left to the engine and to us before tasks get memory, in bytes. */
const reservedBytes = 1024 ** 3;
/** What a task is assumed to need when it names no limit, in bytes. */
const assumedTaskBytes = 2 * 1024 ** 3;

/**
 * How many tasks run at once when nobody says: as many as there are CPUs, fewer if the largest task's memory limit
 * does not fit that often. At least 1.
 */
export function defaultConcurrency(machine: Machine, taskMemoryBytes: readonly (number | undefined)[]): number {
  const perTask = Math.max(...taskMemoryBytes.map((bytes) => bytes ?? assumedTaskBytes), 64 * 1024 ** 2);
  const byMemory = Math.floor(Math.max(0, machine.memoryBytes - reservedBytes) / perTask);
  return Math.max(1, Math.min(machine.cpus, byMemory, Math.max(1, taskMemoryBytes.length)));
}
