import { z } from "zod";
import { countedOutcome } from "./counted-outcome.ts";
import { categoryOf } from "./final-status.ts";
import { clusteredShareInterval, shareMethods } from "./intervals.ts";
import type { RunRow } from "./run-row.ts";
import { passRate } from "./statistics.ts";

const share = z.number().min(0).max(1);

/** Ours: a pass rate with all that it takes to quote it. */
export const passRateIntervalSchema = z.object({
  /** Rows that passed at their first graded attempt, … */
  passed: z.number(),
  /** … of so many. */
  of: z.number(),
  /** Different tasks among them; the interval takes the replicates and variants of a task for one cluster. */
  tasks: z.number(),
  rate: share,
  low: share,
  high: share,
  /** How sure the interval is to hold the rate that the run was drawn from. */
  level: z.literal(0.95),
  method: z.enum(shareMethods),
});

export type PassRateInterval = z.infer<typeof passRateIntervalSchema>;

/** Counts rows by task, and gives the rate of all of them. */
export class PassRateTally {
  readonly #tasks = new Map<string, { passed: number; of: number }>();

  /** Rows that count as not graded are no part of a rate. */
  add(row: Pick<RunRow, "task_id" | "status" | "weighted_score" | "earlier_attempts">): void {
    const category = categoryOf(countedOutcome(row).status);
    if (category === "ungraded") return;
    const task = this.#tasks.get(row.task_id) ?? { passed: 0, of: 0 };
    this.#tasks.set(row.task_id, task);
    task.of += 1;
    if (category === "succeeded") task.passed += 1;
  }

  /** Null where nothing was graded. */
  get interval(): PassRateInterval | null {
    const tasks = [...this.#tasks.values()];
    const interval = clusteredShareInterval(tasks);
    if (interval === undefined) return null;
    const { passed, of, low, high, method } = interval;
    return { passed, of, tasks: tasks.length, rate: passRate({ succeeded: passed, graded: of }) ?? 0, low, high, level: 0.95, method };
  }
}

/** The rate of rows and its interval of 95 %; null where nothing was graded. */
export function passRateInterval(rows: Iterable<RunRow>): PassRateInterval | null {
  const tally = new PassRateTally();
  for (const row of rows) tally.add(row);
  return tally.interval;
}
