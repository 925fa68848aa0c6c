import assert from "node:assert/strict";
import test from "node:test";
import { fieldText, problemsOfZod } from "../../../../src/plan/issues.ts";
import { renameAliases } from "../../../../src/plan/schema/agent-schema.ts";
import { taskSchema } from "../../../../src/plan/schema/task-schema.ts";
import { ruleProblems } from "../../../../src/plan/task-rules.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** One rule of a task file: what it lets pass, and what it refuses with which words. Fields are laid over `base`. */
export interface Rule {
  readonly rule: string;
  readonly accepted?: readonly Fields[] | undefined;
  /** Fields, and the problems as `field: message`, one line each. */
  readonly refused: readonly (readonly [Fields, string])[];
}

export const criterion = { type: "file_exists", description: "e", path: "a" };

/** A task without a word too many. A field that is laid over it as undefined is not there. */
const base: Fields = { task_id: "t", description: "d", initial_prompt: "p", success_criteria: [criterion] };

/** What the loader says of a task's fields, errors only. */
export function errorsOf(more: Fields): string {
  const fields = renameAliases(Object.fromEntries(Object.entries({ ...base, ...more }).filter(([, value]) => value !== undefined)));
  const checked = taskSchema.safeParse(fields);
  const problems = [...ruleProblems(fields), ...(checked.success ? [] : problemsOfZod(taskSchema, fields, checked.error))];
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, message }) => `${fieldText(path)}: ${message}`)
    .join("\n");
}

/** One test per rule, named after it. */
export function testRules(section: string, rules: readonly Rule[]): void {
  for (const { rule, accepted, refused } of rules) {
    test(`${section} ${rule}`, () => {
      for (const fields of accepted ?? []) assert.equal(errorsOf(fields), "", JSON.stringify(fields));
      for (const [fields, message] of refused) assert.equal(errorsOf(fields), message, JSON.stringify(fields));
    });
  }
}
