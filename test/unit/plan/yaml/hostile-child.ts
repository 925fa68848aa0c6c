import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planJsonChunks } from "../../../../src/commands/plan-json.ts";
import { InputError, type Issue } from "../../../../src/errors.ts";
import { foldIssues } from "../../../../src/plan/fold-issues.ts";
import { makePlan } from "../../../../src/plan/plan.ts";
import { renderFolded } from "../../../../src/plan/render-issues.ts";
import { hostileCases } from "./hostile-cases.ts";

// Plans every hostile text as a user's file, in a process whose memory is bounded, and prints one line of JSON for each.

const dir = process.argv[2] ?? "";
const only = process.argv[3];

async function planned(file: string): Promise<{ tasks: number; json: number; issues: readonly Issue[]; shown: string }> {
  try {
    const plan = await makePlan({
      patterns: [file],
      cwd: dir,
      env: {},
      variants: [],
      overrides: { set: [] },
      tags: [],
      excludeTags: [],
      includeSkipped: true,
      sampling: { runSeed: "0" },
      allowEmpty: true,
      unsupported: "note",
    });
    let json = 0;
    for (const chunk of planJsonChunks(plan)) json += chunk.length;
    return { tasks: plan.tasks.length, json, issues: plan.issues, shown: renderFolded(foldIssues(plan.issues), plan.lineOf) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { tasks: 0, json: 0, issues: error.issues, shown: "" };
  }
}

for (const { name, text } of hostileCases) {
  if (only !== undefined && !name.includes(only)) continue;
  process.stdout.write(`${JSON.stringify({ begun: name })}\n`);
  const start = performance.now();
  writeFileSync(join(dir, "task.yaml"), text());
  const { tasks, json, issues, shown } = await planned("task.yaml");
  const errors = issues
    .filter(({ severity }) => severity === "error")
    .map(({ code, line, message }) => ({ code, line, message: message.slice(0, 200) }));
  const longest = Math.max(0, ...issues.map(({ message, field, hint }) => Math.max(message.length, field?.length ?? 0, hint?.length ?? 0)));
  const warnings = [...new Set(issues.filter(({ severity }) => severity === "warning").map(({ code }) => code))];
  const polluted = "polluted" in {};
  const ms = Math.round(performance.now() - start);
  const row = { name, tasks, json, count: issues.length, errors: errors.slice(0, 3), warnings, longest, shown: shown.length, polluted, ms };
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
rmSync(join(dir, "task.yaml"));
