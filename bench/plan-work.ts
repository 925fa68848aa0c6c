import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { makePlan } from "../src/plan/plan.ts";

// One half of a round of the plan figure, as a program, so that neither profits from what the other has warmed up:
// `plan-work.ts floor|plan <folder>` prints seconds and megabytes as JSON.

const [half = "", dir = ""] = process.argv.slice(2);
const env = { ...process.env, SKILLS_REPO_PATH: "/skills" };

function floor(): number {
  const texts = globSync("**/*.yaml", { cwd: dir }).map((name) => readFileSync(join(dir, name), "utf8"));
  const start = performance.now();
  for (const text of texts) parse(text, { uniqueKeys: false });
  return (performance.now() - start) / 1000;
}

async function plan(): Promise<number> {
  const start = performance.now();
  const made = await makePlan({
    patterns: [dir],
    cwd: dir,
    env,
    variants: [],
    overrides: { set: [] },
    tags: [],
    excludeTags: [],
    includeSkipped: true,
    sampling: { runSeed: "bench" },
    allowEmpty: false,
    unsupported: "note",
  });
  if (made.tasks.length === 0) throw new Error("the plan is empty");
  return (performance.now() - start) / 1000;
}

const seconds = half === "floor" ? floor() : await plan();
process.stdout.write(JSON.stringify({ seconds, rssMegabytes: process.resourceUsage().maxRSS / 1024 }));
