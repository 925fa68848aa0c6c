import { formatFixed } from "../python/format.ts";

/** How many of a category's demands hold. */
export interface Share {
  readonly met: number;
  readonly total: number;
}

export function countMet<T>(items: readonly T[], isMet: (item: T) => boolean): Share {
  return { met: items.filter(isMet).length, total: items.length };
}

/** Plain mean over the categories that ask for something; 1 when none does. */
export function meanOf(shares: readonly Share[]): number {
  return mean(shares.filter((share) => share.total > 0).map((share) => share.met / share.total));
}

/** Plain mean; 1 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** `Score: 0.67` at the end of details. */
export function scoreText(score: number): string {
  return `Score: ${formatFixed(score, 2)}`;
}
