import { z } from "zod";

/** What a machine can offer to the examples. Each is a tag `needs:<name>` of the tasks that cannot do without it. */
export const needs = ["docker", "python", "node", "registry"] as const;
export type Need = (typeof needs)[number];

export type Driver = "docker" | "tempdir";

/** Stands in `expected.json` for a task that its driver cannot run. */
export const leftOut = "left out";

const statuses = z.enum(["SUCCESS", "FAILURE", "TIMEOUT", "ERROR", "BUILD_FAILED", leftOut]);

/** `examples/expected.json`: how each example ends. */
export const expectedSchema = z.record(z.string(), z.strictObject({ docker: statuses, tempdir: statuses }));
export type Expected = z.infer<typeof expectedSchema>;

/** The part of `run.json` that the demo looks at. */
export const runSchema = z.looseObject({
  task_results: z.array(z.looseObject({ task_id: z.string(), status: z.string(), duration: z.number() })),
});

/** An example as its file says it: what it is called and what it needs. */
export interface Example {
  readonly taskId: string;
  readonly tags: readonly string[];
}

export interface Outcome {
  readonly taskId: string;
  readonly expected: string;
  readonly found: string;
  readonly ok: boolean;
}

/** The needs of an example that this machine does not meet. */
export function missingNeeds(example: Example, met: ReadonlySet<Need>): Need[] {
  return needs.filter((need) => example.tags.includes(`needs:${need}`) && !met.has(need));
}

/**
 * Holds what happened against what was to happen, one outcome per example in the order given, and one for each row
 * of the run that is no example. An example that was left out for a need is right when it did not run.
 */
export function compareOutcomes(
  examples: readonly Example[],
  expected: Expected,
  run: z.infer<typeof runSchema>,
  driver: Driver,
  met: ReadonlySet<Need>,
): Outcome[] {
  const found = new Map(run.task_results.map((row) => [row.task_id, row.status]));
  const outcomes = examples.map((example) => {
    const wanted = missingNeeds(example, met).length > 0 ? leftOut : (expected[example.taskId]?.[driver] ?? "no row in expected.json");
    const status = found.get(example.taskId) ?? leftOut;
    found.delete(example.taskId);
    return { taskId: example.taskId, expected: wanted, found: status, ok: wanted === status };
  });
  const strangers = [...found].map(([taskId, status]) => ({ taskId, expected: leftOut, found: status, ok: false }));
  return [...outcomes, ...strangers];
}

/** A table of outcomes for a terminal, one line each. */
export function renderOutcomes(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map((outcome) => outcome.taskId.length));
  const line = ({ taskId, expected, found, ok }: Outcome) =>
    `  ${ok ? "ok " : "BAD"}  ${taskId.padEnd(width)}  ${found}${ok ? "" : ` (expected ${expected})`}`;
  return outcomes.map(line).join("\n");
}
