import { join } from "node:path";
import { type BareEngine, bareEngine } from "./bare-engine.ts";
import { cliPath, noopTasks, runTasks } from "./command-line.ts";
import { benchImage, ensureBenchImage, floorContainer, inParallel, secondsToFirstContainer } from "./engine.ts";
import { type BenchOptions, type Figure, interleave, median, ratioOf, secondsOf } from "./figure.ts";

const concurrency = 2;
const container = ["--driver", "docker", "--image", benchImage];

function needEngine(): BareEngine {
  const reason = ensureBenchImage();
  if (reason !== undefined) throw new Error(reason);
  return bareEngine(process.env);
}

/** Figure a: what one container task costs, the whole command counted, against what the engine needs for it. */
export async function containerTasks({ quick, say }: BenchOptions): Promise<Figure> {
  const engine = needEngine();
  const count = quick ? 10 : 100;
  await using tasks = await noopTasks(count);
  const floor = async () => (await secondsOf(() => inParallel(count, concurrency, () => floorContainer(engine)))) / count;
  const ours = async () => (await secondsOf(() => runTasks(tasks.dir, [...container, "-j", String(concurrency)]))) / count;
  await inParallel(4, concurrency, () => floorContainer(engine));
  const rounds = await interleave(quick ? 1 : 3, floor, ours);
  say(
    `container tasks: ${rounds.values.map((value) => value.toFixed(3)).join(", ")}; floor ${rounds.floors.map((value) => value.toFixed(3)).join(", ")} s`,
  );
  return {
    what: `${count} no-op container tasks at -j ${concurrency}`,
    unit: "s/task",
    value: median(rounds.values),
    floor: { what: "create, start, one exec, remove over plain HTTP", value: median(rounds.floors) },
    ratio: ratioOf(rounds),
    goal: { of: "ratio", max: 1.25 },
    notes: ["the whole command counts: start-up, grading, task.json, run.json and reports"],
  };
}

/** Figure c: from the start of the program to the start of its first container. */
export async function startUp({ quick }: BenchOptions): Promise<Figure> {
  const engine = needEngine();
  await using tasks = await noopTasks(1);
  let run = 0;
  const floor = () => secondsToFirstContainer(engine, [join(import.meta.dirname, "floor-start.ts")]);
  const ours = () => {
    const runDir = join(tasks.dir, `start-${++run}`);
    return secondsToFirstContainer(engine, [cliPath, "run", join(tasks.dir, "tasks"), "--run-dir", runDir, ...container]);
  };
  const rounds = await interleave(quick ? 1 : 7, floor, ours);
  return {
    what: "start-up to first container",
    unit: "s",
    value: median(rounds.values),
    floor: { what: "Node, plain HTTP, create, start", value: median(rounds.floors) },
    ratio: ratioOf(rounds),
    goal: { of: "value", max: 1.5 },
    notes: [`measured with ${cliPath.endsWith(".ts") ? "the sources" : "the bundle"}`],
  };
}
