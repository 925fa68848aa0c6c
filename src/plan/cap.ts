import { InputError } from "../errors.ts";
import { inSeededOrder } from "./dataset/seeded-order.ts";
import type { TaskCap } from "./plan-options.ts";

/** What a cap did: recorded, so that nobody takes the sample for the whole. */
export interface CapFacts {
  readonly maxTasks: number;
  /** Resolved tasks before the cap. */
  readonly planned: number;
  readonly kept: number;
  readonly seed: string;
}

interface Capped<Task> {
  readonly tasks: readonly Task[];
  /** Undefined where everything fits. */
  readonly facts: CapFacts | undefined;
}

/**
 * Holds a plan to a number of resolved tasks. A sample takes a task with all its variants and replicates or not at all,
 * since half of a comparison is none; which ones depends on the seed and the ids alone, so a new task moves at most its
 * own number of others out.
 * @throws InputError `too-many-tasks`
 */
export function capTasks<Task extends { readonly taskId: string }>(tasks: readonly Task[], cap: TaskCap | undefined): Capped<Task> {
  if (cap === undefined) return { tasks, facts: undefined };
  const again = cappedBefore(tasks, cap);
  if (again !== undefined) return again;
  if (tasks.length <= cap.maxTasks) return { tasks, facts: undefined };
  if (cap.onMore === "fail") {
    const message = `${tasks.length} tasks would run, more than the ${cap.maxTasks} of max-tasks`;
    throw tooMany(message, "choose fewer by patterns or tags, raise max-tasks, or take a sample of them: on-max-tasks: sample");
  }
  const sizes = new Map<string, number>();
  for (const { taskId } of tasks) sizes.set(taskId, (sizes.get(taskId) ?? 0) + 1);
  const kept = new Set<string>();
  let count = 0;
  for (const id of inSeededOrder([...sizes.keys()], cap.seed, (each) => each)) {
    const size = sizes.get(id) ?? 0;
    if (count + size > cap.maxTasks) continue;
    kept.add(id);
    count += size;
  }
  if (count === 0) {
    const size = Math.min(...sizes.values());
    const message = `max-tasks is ${cap.maxTasks}, and one task with all its variants and replicates is ${size}`;
    throw tooMany(message, "raise max-tasks, or run fewer variants or replicates");
  }
  return {
    tasks: tasks.filter(({ taskId }) => kept.has(taskId)),
    facts: { maxTasks: cap.maxTasks, planned: tasks.length, kept: count, seed: cap.seed },
  };
}

/** The same cap let these through in an earlier execution of the run: as far as they are still there, they run and no others. */
function cappedBefore<Task extends { readonly taskId: string }>(tasks: readonly Task[], cap: TaskCap): Capped<Task> | undefined {
  const { recorded, maxTasks, onMore } = cap;
  if (recorded === undefined || onMore !== "sample" || recorded.maxTasks !== maxTasks) return undefined;
  const again = tasks.filter(({ taskId }) => recorded.taskIds.has(taskId));
  if (again.length === 0 || again.length > maxTasks) return undefined;
  const planned = Math.max(recorded.planned, tasks.length);
  return { tasks: again, facts: { maxTasks, planned, kept: again.length, seed: recorded.seed } };
}

function tooMany(message: string, hint: string): InputError {
  return new InputError([{ severity: "error", code: "too-many-tasks", message, hint }]);
}
