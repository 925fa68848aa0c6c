import type { Issue } from "../errors.ts";
import { directoryIdentity } from "./run-key.ts";

/**
 * Keeps tasks with any of the `include` tags, then drops those with any of the `exclude` tags; an empty list is no
 * filter; tags are compared whole, the order stays (formats.md 8.8).
 */
export function filterByTags<Task extends { readonly tags: readonly string[] }>(
  tasks: readonly Task[],
  include: readonly string[],
  exclude: readonly string[],
): Task[] {
  return tasks.filter(({ tags }) => {
    if (include.length > 0 && !include.some((tag) => tags.includes(tag))) return false;
    return !exclude.some((tag) => tags.includes(tag));
  });
}

interface Named {
  readonly key: string;
  readonly taskFile: string;
  readonly resultDir: string;
}

/** Rows that cannot be told apart: the same key twice, or keys whose directories are one, or one inside the other. */
export function duplicateIssues(tasks: readonly Named[]): Issue[] {
  const issues: Issue[] = [];
  const byDirectory = new Map<string, Named>();
  for (const task of tasks) {
    const identity = directoryIdentity(task.resultDir);
    const other = byDirectory.get(identity);
    if (other === undefined) byDirectory.set(identity, task);
    else issues.push(clash(task, other));
  }
  for (const task of tasks) {
    const parts = directoryIdentity(task.resultDir).split("/");
    for (let length = parts.length - 1; length > 1; length -= 1) {
      const outer = byDirectory.get(parts.slice(0, length).join("/"));
      if (outer !== undefined) issues.push(nested(task, outer));
    }
  }
  return issues;
}

function clash(task: Named, other: Named): Issue {
  const same = task.key === other.key;
  const message = same
    ? `the task id of ${task.key} is used twice: in ${other.taskFile} and in ${task.taskFile}`
    : `${task.key} (${task.taskFile}) and ${other.key} (${other.taskFile}) would share one directory`;
  return {
    severity: "error",
    code: "duplicate-task",
    message,
    file: task.taskFile,
    field: "task_id",
    hint: "give each task an id of its own",
  };
}

function nested(task: Named, outer: Named): Issue {
  const message = `the results of ${task.key} (${task.taskFile}) would lie inside those of ${outer.key} (${outer.taskFile})`;
  return { severity: "error", code: "duplicate-task", message, file: task.taskFile, field: "task_id", hint: "change one of the two ids" };
}
