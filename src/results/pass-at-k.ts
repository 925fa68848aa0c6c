import { z } from "zod";
import type { RateCounts } from "./statistics.ts";

const share = z.number().min(0).max(1);

/** Ours: what k tries of a task would bring, as the mean over the tasks. */
export const passAtKSchema = z.object({
  k: z.number().int().min(2),
  /** At least one of k passes. */
  pass_at_k: share,
  /** All of k pass. */
  pass_hat_k: share,
  /** Tasks that it is the mean of. */
  tasks: z.number(),
});

export type PassAtK = z.infer<typeof passAtKSchema>;

/** More tries than that nobody asks for. */
const largestK = 100;

/**
 * pass@k and pass^k of k = 2, 3, … up to the fewest graded replicates that a task has: with fewer than k tries nothing is known of k, so that
 * nothing is said (k = 1 is the pass rate). Of each task by the closed form over all choices of k of its tries, then the mean over the tasks.
 * Tasks without a graded replicate are left out. Errors are misses, as in the pass rate.
 */
export function passAtK(tasks: readonly RateCounts[]): PassAtK[] {
  const known = tasks.filter(({ graded }) => graded > 0);
  const fewest = known.reduce((least, { graded }) => Math.min(least, graded), largestK);
  if (known.length === 0) return [];
  const mean = (of: (task: RateCounts) => number) => known.reduce((sum, task) => sum + of(task), 0) / known.length;
  return Array.from({ length: Math.max(0, fewest - 1) }, (_, index) => {
    const k = index + 2;
    return {
      k,
      pass_at_k: Math.min(
        1,
        mean(({ succeeded, graded }) => 1 - allFrom(graded - succeeded, graded, k)),
      ),
      pass_hat_k: Math.min(
        1,
        mean(({ succeeded, graded }) => allFrom(succeeded, graded, k)),
      ),
      tasks: known.length,
    };
  });
}

/** Probability that k drawn of `of`, none twice, are all among `among` of them: C(among, k) / C(of, k), without large numbers. */
function allFrom(among: number, of: number, k: number): number {
  let probability = 1;
  for (let drawn = 0; drawn < k; drawn += 1) probability *= Math.max(0, among - drawn) / (of - drawn);
  return probability;
}
