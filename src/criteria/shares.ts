import { formatFixed } from "../python/format.ts";

/** How many of a category's demands hold. */
export interface Share {
  readonly met: number;
  readonly total: number;
}

export function countMet<T>(items: readonly T[], isMet: (item: T) => boolean): Share {
  return { met: items.filter(isMet).length, total: items.length };
}

/** The share of demands that are met. */
export function shareOf({ met, total }: Share): number {
  return met / total;
}

/** The share of unwanted texts that are not there, computed as the original does: `2/3` gives 0.6666666666666667. */
export function absentShareOf({ met, total }: Share): number {
  return 1 - (total - met) / total;
}

/** Plain mean; 1 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** `Score: 0.67` at the end of details. */
export function scoreText(score: number): string {
  return `Score: ${formatFixed(score, 2)}`;
}
