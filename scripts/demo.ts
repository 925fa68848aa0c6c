// `npm run demo [-- --driver docker|tempdir]`: runs examples/ and holds every outcome against examples/expected.json.
// Some examples fail on purpose, so the demo ends well when each of them ended as it should.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { z } from "zod";
import { chooseSetting, demoImage } from "./demo/machine.ts";
import { compareOutcomes, type Example, expectedSchema, missingNeeds, needs, renderOutcomes, runSchema } from "./demo/outcomes.ts";

const root = join(import.meta.dirname, "..");
process.chdir(root);

const say = (line: string) => process.stdout.write(`demo: ${line}\n`);
const taskFile = z.looseObject({ task_id: z.string(), tags: z.array(z.string()).default([]) });

function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> {
  return schema.parse(JSON.parse(readFileSync(path, "utf8")));
}

async function runExamples(runDir: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ["src/cli.ts", "run", "examples/*/task.yaml", "--run-dir", runDir, ...args], { stdio: "inherit" });
  // A terminal sends Ctrl-C to the child as well: this process only waits for it to clean up.
  process.on("SIGINT", () => {});
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

const { values } = parseArgs({ options: { driver: { type: "string" }, "run-dir": { type: "string" } } });
const wanted = z.enum(["docker", "tempdir"]).optional().parse(values.driver);
const setting = chooseSetting(wanted, say);
for (const notice of setting.notices) say(notice);

const examples: Example[] = globSync("examples/*/task.yaml")
  .sort()
  .map((file) => taskFile.parse(parse(readFileSync(file, "utf8"))))
  .map((task) => ({ taskId: task.task_id, tags: task.tags }));
const unmet = needs.filter((need) => !setting.met.has(need)).map((need) => `needs:${need}`);
const runDir = values["run-dir"] ?? join("runs", `demo-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`);
const args = ["--driver", setting.driver, "--max-parallel", "2"];
if (setting.driver === "docker") args.push("--image", demoImage);
if (unmet.length > 0) args.push("--exclude-tags", unmet.join(","));
const count = examples.filter((example) => missingNeeds(example, setting.met).length === 0).length;
say(`running ${count} of ${examples.length} examples; some fail on purpose\n`);

const code = await runExamples(runDir, args);
const runFile = join(runDir, "run.json");
if (!existsSync(runFile)) {
  say(`the run ended with exit code ${code} and wrote no ${runFile}`);
  process.exitCode = code === 0 ? 1 : code;
} else {
  const expected = readJson(join("examples", "expected.json"), expectedSchema);
  const outcomes = compareOutcomes(examples, expected, readJson(runFile, runSchema), setting.driver, setting.met);
  const wrong = outcomes.filter((outcome) => !outcome.ok).length;
  process.stdout.write(`\n${renderOutcomes(outcomes)}\n\n`);
  // 1: some examples fail on purpose. Anything else is an interrupted run or a fault.
  const ended = code === 1 ? "" : `; the run ended with exit code ${code}, expected 1`;
  say(wrong === 0 ? `every outcome is the expected one${ended}` : `${wrong} outcomes are not the expected ones${ended}`);
  const report = ["run.html", "run.md"].map((name) => join(runDir, name)).find((path) => existsSync(path));
  say(`report: ${relative(process.cwd(), report ?? runFile)}`);
  process.exitCode = wrong === 0 && code === 1 ? 0 : 1;
}
