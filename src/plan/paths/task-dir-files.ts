import { stat } from "node:fs/promises";
import { join } from "node:path";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import { childOf } from "../schema/schema-keys.ts";

interface Use {
  /** Below the task's folder. */
  readonly name: string;
  readonly path: readonly PropertyKey[];
  readonly outcome: string;
}

/** As far as a shell would take it for one word without asking anybody. */
const inCommand = /\$(?:TASK_DIR|\{TASK_DIR\})"?\/([\w.+@/-]+)/g;

/** The end of what stands before a file that a shell makes by writing to it. */
const beforeMade = />\|?\s*"?$/;

/** Files beside the task that its criteria name by `$TASK_DIR` and that are not there: scripts of commands, files for judges. */
export async function taskDirProblems(criteria: unknown, folder: string): Promise<Problem[]> {
  if (!Array.isArray(criteria)) return [];
  const made = new Set(criteria.flatMap(filesMadeBy));
  const problems: Problem[] = [];
  for (const { name, path, outcome } of criteria.flatMap(usesOf)) {
    if (made.has(name)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined) continue;
    const message = `the file ${quote(`$TASK_DIR/${name}`)} does not exist`;
    problems.push({
      severity: "warning",
      code: "missing-file",
      path,
      message,
      hint: `TASK_DIR is the folder of the task file; ${outcome}`,
    });
  }
  return problems;
}

/** What a text names below `$TASK_DIR`. */
export interface TaskDirName {
  /** Relative to the task's folder. */
  readonly name: string;
  /** False where more follows that only a shell knows: a variable, a pattern. */
  readonly isWhole: boolean;
  /** The command makes it. */
  readonly isMade: boolean;
}

/** Every name below `$TASK_DIR` that stands in a command, or in the name of a judge's file. */
export function taskDirNames(text: string): TaskDirName[] {
  return [...text.matchAll(inCommand)].map(({ 0: whole, 1: name = "", index }) => ({
    name,
    isWhole: !/^[$*?{[]/.test(text.slice(index + whole.length, index + whole.length + 1)),
    isMade: beforeMade.test(text.slice(0, index)),
  }));
}

function commandOf(criterion: unknown): string {
  const line = childOf(criterion, "command");
  return typeof line === "string" ? line : "";
}

function filesMadeBy(criterion: unknown): string[] {
  return taskDirNames(commandOf(criterion)).flatMap(({ name, isMade }) => (isMade ? [name] : []));
}

function usesOf(criterion: unknown, index: number): Use[] {
  const path = ["success_criteria", index];
  const command = commandOf(criterion);
  const files = childOf(criterion, "files");
  // What a row fills in, or a shell puts together, is not known yet.
  const named = taskDirNames(command).flatMap(({ name, isWhole }) => (isWhole ? [name] : []));
  return [
    ...[...new Set(named)].map((name) => ({ name, path: [...path, "command"], outcome: "the command will not find it" })),
    ...(Array.isArray(files) ? files : []).flatMap((file: unknown, at): Use[] => {
      const name = typeof file === "string" ? /^\$(?:TASK_DIR|\{TASK_DIR\})\/([^$*?[]+)$/.exec(file)?.[1] : undefined;
      return name === undefined ? [] : [{ name, path: [...path, "files", at], outcome: "the judge will be told that it was not found" }];
    }),
  ];
}
