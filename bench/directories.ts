import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { noopTasks, runTasks } from "./command-line.ts";
import { inParallel } from "./engine.ts";
import { type BenchOptions, type Figure, interleave, median, ratioOf, secondsOf } from "./figure.ts";

const concurrency = 2;
const execute = promisify(execFile);

async function floorDirectory(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-floor-"));
  await execute("/bin/sh", ["-c", "true"], { cwd: dir });
  await rm(dir, { recursive: true });
}

/** Figure b: what one task in a temporary directory costs beyond start-up, against a directory and a shell. */
export async function directoryTasks({ quick }: BenchOptions): Promise<Figure> {
  const count = quick ? 50 : 500;
  await using tasks = await noopTasks(count);
  await using one = await noopTasks(1);
  const args = ["--driver", "tempdir", "-j", String(concurrency)];
  const starts: number[] = [];
  const floor = async () => (await secondsOf(() => inParallel(count, concurrency, floorDirectory))) / count;
  const ours = async () => {
    const start = await secondsOf(() => runTasks(one.dir, args));
    starts.push(start);
    return ((await secondsOf(() => runTasks(tasks.dir, args))) - start) / (count - 1);
  };
  const rounds = await interleave(quick ? 1 : 5, floor, ours);
  return {
    what: `${count} no-op tempdir tasks at -j ${concurrency}`,
    unit: "s/task",
    value: median(rounds.values),
    floor: { what: "mkdtemp, sh -c true, rm", value: median(rounds.floors) },
    ratio: ratioOf(rounds),
    notes: [`a run of one task, start-up included: ${median(starts).toFixed(2)} s, taken off`],
  };
}
