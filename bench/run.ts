// `npm run bench [-- --only a,d] [--quick]`: prints every figure as a ratio to a floor that is measured in the same run.
// docs/performance.md says what each of them means.
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { fakeTasks } from "./batch.ts";
import { containerTasks, startUp } from "./containers.ts";
import { directoryTasks } from "./directories.ts";
import { type BenchOptions, type Figure, renderFigure } from "./figure.ts";
import { plannedFiles } from "./plan.ts";
import { rebuiltRun } from "./rebuilt-run.ts";
import { resumedRun } from "./resumed-run.ts";

const figures: Readonly<Record<string, (options: BenchOptions) => Promise<Figure>>> = {
  a: containerTasks,
  b: directoryTasks,
  c: startUp,
  d: fakeTasks,
  e: rebuiltRun,
  f: plannedFiles,
  g: resumedRun,
};

const { values } = parseArgs({ options: { only: { type: "string" }, quick: { type: "boolean", default: false } } });
const wanted = values.only?.split(",") ?? Object.keys(figures);
const unknown = wanted.filter((key) => !(key in figures));
if (unknown.length > 0) {
  process.stderr.write(`no figure is called ${unknown.join(", ")}; there are ${Object.keys(figures).join(", ")}\n`);
  process.exit(2);
}

const options: BenchOptions = { quick: values.quick, say: (line) => process.stderr.write(`   ${line}\n`) };
process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`);
if (values.quick) process.stdout.write("--quick: too few rounds to quote\n");
for (const key of wanted) {
  try {
    const figure = await figures[key]?.(options);
    if (figure !== undefined) process.stdout.write(`${renderFigure(key, figure)}\n`);
  } catch (error) {
    process.stdout.write(`${key}  not measured: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
