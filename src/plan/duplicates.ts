import { quote } from "./found-text.ts";
import type { Problem } from "./issues.ts";
import { directoryIdentity } from "./run-key.ts";

interface Named {
  readonly taskId: string;
  readonly taskFile: string;
  readonly resultDir: string;
}

/** `same`: one id; `alike`: ids whose directories are one on some file system; `inside`: one directory in the other. */
type Kind = "same" | "alike" | "inside";

interface Clash {
  readonly kind: Kind;
  readonly task: Named;
  readonly other: Named;
  /** Ids of the one file that clash so with those of the other. */
  readonly ids: Set<string>;
}

/** What is wrong with the ids of a file; the path is in that file. */
export interface DuplicateProblem {
  readonly file: string;
  readonly problem: Problem;
}

/**
 * Tasks that cannot be told apart: the same id twice, or ids whose directories are one, or one inside the other. Two files
 * are told of once, however many rows and replicates of theirs clash.
 * @param tasks of one variant; those of another clash in the same way
 */
export function duplicateProblems(tasks: readonly Named[]): DuplicateProblem[] {
  const clashes = new Map<string, Clash>();
  const note = (kind: Kind, task: Named, other: Named): void => {
    const pair = JSON.stringify([kind, task.taskFile, other.taskFile]);
    const clash = clashes.get(pair) ?? { kind, task, other, ids: new Set<string>() };
    clashes.set(pair, clash);
    clash.ids.add(task.taskId);
  };
  const byDirectory = new Map<string, Named>();
  for (const task of tasks) {
    const identity = directoryIdentity(task.resultDir);
    const other = byDirectory.get(identity);
    if (other === undefined) byDirectory.set(identity, task);
    else note(task.taskId === other.taskId ? "same" : "alike", task, other);
  }
  for (const task of tasks) {
    const parts = directoryIdentity(task.resultDir).split("/");
    for (let length = parts.length - 1; length > 1; length -= 1) {
      const outer = byDirectory.get(parts.slice(0, length).join("/"));
      if (outer !== undefined) note("inside", task, outer);
    }
  }
  return [...clashes.values()].map((clash) => ({ file: clash.task.taskFile, problem: problemOf(clash) }));
}

function problemOf({ kind, task, other, ids }: Clash): Problem {
  const more = ids.size > 1 ? `, and so with ${ids.size - 1} more` : "";
  const where = other.taskFile === task.taskFile ? "" : ` of ${other.taskFile}`;
  const problem = (message: string, hint: string): Problem => ({
    severity: "error",
    code: "duplicate-task",
    path: ["task_id"],
    message: `${message}${more}`,
    hint,
  });
  switch (kind) {
    case "same":
      return problem(`the task id ${quote(task.taskId)} is used twice: in ${other.taskFile} too`, "give each task an id of its own");
    case "alike":
      return problem(
        `the results of ${quote(task.taskId)} and ${quote(other.taskId)}${where} would share one directory: the ids ${difference(task, other)}`,
        "give each task an id of its own",
      );
    case "inside":
      return problem(
        `the results of ${quote(task.taskId)} would lie inside those of ${quote(other.taskId)}${where}, in ${quote(other.resultDir)}`,
        "change one of the two ids",
      );
  }
}

function difference({ taskId }: Named, other: Named): string {
  if (taskId.toLowerCase() === other.taskId.toLowerCase()) return "differ in upper and lower case only";
  return "differ only in how their characters are composed, which nobody sees";
}
