import { tmpdir } from "node:os";
import type { Clock } from "../clock.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { Progress } from "../progress/progress.ts";
import { createDockerDriver } from "../sandbox/docker/driver.ts";
import type { SandboxDriver } from "../sandbox/sandbox.ts";
import { createTempdirDriver, tempdirNotice } from "../sandbox/tempdir/driver.ts";

type Kind = SandboxDriver["kind"];

/** The drivers that a run's tasks need, each made once. */
export interface Drivers {
  for(kind: Kind): SandboxDriver;
  /** Removes what dead runs left. */
  sweep(): Promise<number>;
  killAll(): Promise<void>;
  close(): void;
}

export interface DriverOptions {
  /** Unique among all runs of this engine: by it the run's sandboxes are found again. */
  readonly runId: string;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly progress: Progress;
}

/** @throws EnvironmentError when a task needs Docker and no engine answers: nothing has been written or run by then */
export async function openDrivers(tasks: readonly ResolvedTask[], options: DriverOptions): Promise<Drivers> {
  const { runId, env, progress, concurrency, clock } = options;
  const log = (line: string): void => progress.notice(line);
  const kinds = new Set(tasks.map((task) => task.task.sandbox.driver));
  const drivers = new Map<Kind, SandboxDriver>();
  if (kinds.has("docker")) drivers.set("docker", await createDockerDriver({ runId, env, concurrency, clock, log }));
  if (kinds.has("tempdir")) {
    progress.notice(tempdirNotice);
    drivers.set("tempdir", createTempdirDriver({ runId, env, tmpDir: tmpdir(), log }));
  }
  const all = [...drivers.values()];
  return {
    for(kind) {
      const driver = drivers.get(kind);
      if (driver === undefined) throw new TypeError(`no driver was opened for ${kind}`);
      return driver;
    },
    sweep: async () => (await Promise.all(all.map((driver) => driver.sweep()))).reduce((sum, count) => sum + count, 0),
    killAll: async () => void (await Promise.all(all.map((driver) => driver.killAll()))),
    close: () => {
      for (const driver of all) driver.close();
    },
  };
}
