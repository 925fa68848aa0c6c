import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PlanOptions } from "../../../src/plan/plan.ts";

export interface TaskFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder with the given files, gone at the end of the test. */
export async function taskFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<TaskFolder> {
  const path = await mkdtemp(join(tmpdir(), "evalbatch-plan-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A task that runs without an agent; `more` is further YAML. */
export function noAgentTask(id: string, more = ""): string {
  return `task_id: ${id}\ndescription: d\nagent: {type: none}\n${more}success_criteria:\n  - {type: file_exists, description: e, path: a.txt}\n`;
}

export function planOptions(cwd: string, more: Partial<PlanOptions> = {}): PlanOptions {
  return {
    patterns: ["."],
    cwd,
    env: {},
    tags: [],
    excludeTags: [],
    includeSkipped: false,
    allowEmpty: false,
    variants: [],
    overrides: { set: [] },
    sampling: { runSeed: "run" },
    unsupported: "refuse",
    ...more,
  };
}
