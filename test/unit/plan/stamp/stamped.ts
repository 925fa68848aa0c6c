import { makePlan } from "../../../../src/plan/plan.ts";
import type { ResolvedTask } from "../../../../src/plan/resolved-task.ts";
import { type StampOptions, type Stamps, stampTasks } from "../../../../src/plan/stamp/stamp-tasks.ts";
import type { TaskStamp } from "../../../../src/plan/stamp/task-stamp.ts";
import { planOptions, type TaskFolder, taskFolder } from "../task-folder.ts";

type Plan = Parameters<typeof planOptions>[1];

export interface Stamped {
  readonly tasks: readonly ResolvedTask[];
  readonly stamps: Stamps;
  /** Of the first task. */
  readonly stamp: TaskStamp;
}

/** Plans the task files of a folder and stamps what is planned. */
export async function stampFolder(cwd: string, more: Partial<StampOptions> = {}, plan: Plan = {}): Promise<Stamped> {
  const { tasks } = await makePlan(planOptions(cwd, { unsupported: "note", env: more.env ?? {}, ...plan }));
  const stamps = await stampTasks(tasks, { cwd, env: {}, redact: (text) => text, ...more });
  const [first] = tasks;
  if (first === undefined) throw new Error("nothing is planned");
  return { tasks, stamps, stamp: stamps.of(first) };
}

/** The same for files that are there only meanwhile. */
export async function stampFiles(
  files: Parameters<typeof taskFolder>[0],
  more: Partial<StampOptions> = {},
  change?: (folder: TaskFolder) => Promise<void>,
): Promise<Stamped> {
  await using folder = await taskFolder(files);
  await change?.(folder);
  return await stampFolder(folder.path, more);
}

/** A task of the docker driver whose YAML has `more` at its end. */
export function dockerTask(more = "", docker = ""): string {
  return `task_id: t
description: d
initial_prompt: Do it
agent: {type: codex, model: gpt-5}
sandbox:
  driver: docker
  docker: {image: "node:24"${docker}}
success_criteria:
  - {type: file_exists, description: e, path: a.txt}
${more}`;
}

/** Redacts one secret. */
export function hiding(secret: string): (text: string) => string {
  return (text) => text.replaceAll(secret, "***");
}
