import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { cliPath } from "./command-line.ts";
import { type BenchOptions, type Figure, interleave, median, ratioOf, secondsOf } from "./figure.ts";
import { taskFiles } from "./task-files.ts";

const execute = promisify(execFile);
const measured = z.object({ seconds: z.number(), rssMegabytes: z.number() });

async function half(name: "floor" | "plan", dir: string): Promise<z.infer<typeof measured>> {
  const { stdout } = await execute(process.execPath, [join(import.meta.dirname, "plan-work.ts"), name, dir]);
  return measured.parse(JSON.parse(stdout));
}

/** Figure f: task files found, read, layered and checked, against the bare `yaml` parser on the same texts. */
export async function plannedFiles({ quick }: BenchOptions): Promise<Figure> {
  await using tasks = await taskFiles(quick ? 200 : 1218);
  const { dir } = tasks;
  const memory: number[] = [];
  const floor = async () => (await half("floor", dir)).seconds;
  const ours = async () => {
    const { seconds, rssMegabytes } = await half("plan", dir);
    memory.push(rssMegabytes);
    return seconds;
  };
  const rounds = await interleave(quick ? 1 : 5, floor, ours);
  const whole: number[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    const bare = await secondsOf(() => execute(process.execPath, ["-e", "0"]));
    whole.push((await secondsOf(() => planAsUsers(dir))) - bare);
  }
  return {
    what: `plan of ${tasks.count.toLocaleString("en")} task files (${(tasks.bytes / 1e6).toFixed(1)} MB, ${tasks.real ? "real ones" : "made up"})`,
    unit: "s",
    value: median(rounds.values),
    floor: { what: "yaml.parse of the same texts", value: median(rounds.floors) },
    ratio: ratioOf(rounds),
    goal: { of: "ratio", max: 1.5 },
    notes: [
      `the command \`plan --json\`, start-up of Node taken off: ${median(whole).toFixed(2)} s`,
      `the process needs ${median(memory).toFixed(0)} MB`,
    ],
  };
}

/** What is planned does not matter here, only how long it takes: an exit code of 1 is fine. */
async function planAsUsers(dir: string): Promise<void> {
  const env = { ...process.env, SKILLS_REPO_PATH: "/skills" };
  const options = { cwd: dir, env, maxBuffer: 1e9 };
  await execute(process.execPath, [cliPath, "plan", "--json", dir], options).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === 1)) throw error;
  });
}
