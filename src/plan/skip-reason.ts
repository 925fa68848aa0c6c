import type { Issue } from "../errors.ts";

const maxReasonCharacters = 500;

/**
 * Why a file does not run, in one line (`reason` of `skipped_tasks`, formats.md 3.5): its errors in the words of the Python tool's kind.
 * @param issues of which the errors count
 * @param file the task file: what lies in another one is told with its name
 */
export function refusalReason(errorType: string, issues: readonly Issue[], file: string): string {
  const lead = errorType === "ValueError" ? "ValueError: Invalid task definition" : errorType;
  return cut(
    `${lead}: ${summaryOf(
      issues.filter(({ severity }) => severity === "error"),
      file,
    )}`,
  );
}

/** Of a task that says so itself. */
export function skipReason(taskId: string): string {
  return cut(`skip: true (task_id='${taskId}')`);
}

function summaryOf(issues: readonly Issue[], file: string): string {
  return issues
    .map(({ field, line, column, message, hint, ...issue }) => {
      const inText = line === undefined ? undefined : `line ${line}, column ${column ?? 1}`;
      const place = field ?? (issue.file === file || issue.file === undefined ? inText : `${issue.file}:${line ?? 1}`);
      const meant = /^did you mean '[^']*'\?/.exec(hint ?? "")?.[0];
      // What was meant says more than all that could have been.
      const text = meant === undefined ? message : `${message.replace(/, expected one of .*$/, "")}; ${meant}`;
      return place === undefined ? text : `${place}: ${text}`;
    })
    .join("; ");
}

function cut(text: string): string {
  const characters = [...text.slice(0, maxReasonCharacters * 2)];
  return characters.length > maxReasonCharacters ? characters.slice(0, maxReasonCharacters).join("") : text;
}
