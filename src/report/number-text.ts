import { thousands } from "../results/gate-text.ts";

export { thousands };

/** Numbers as reports print them. Rounding is Python's (exact ties go to the even digit), so that both tools print the same text. */

/** `value` with exactly `digits` decimals, as Python's `%.<digits>f`. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "N/A";
  const rounded = value.toFixed(digits);
  const scaled = Math.abs(value) * 10 ** digits;
  if (Math.abs(scaled - Math.floor(scaled) - 0.5) > 1e-6) return rounded;
  // A double that is an exact tie ends in 5 right behind the last digit, with nothing after it.
  const exact = Math.abs(value).toFixed(Math.min(100, digits + 40));
  const rest = exact.slice(exact.length - 40);
  if (!/^50*$/.test(rest)) return rounded;
  const down = exact.slice(0, exact.length - 40).replace(/\.$/, "");
  const isEven = Number(down.at(-1)) % 2 === 0;
  return isEven ? (value < 0 ? `-${down}` : down) : rounded;
}

/** Seconds with one decimal, `N/A` when nothing was measured. */
export function seconds(value: number | null | undefined): string {
  return value === null || value === undefined ? "N/A" : `${fixed(value, 1)}s`;
}

/** A share of 0 … 1 as a percentage with one decimal. */
export function percent(share: number): string {
  return `${fixed(share * 100, 1)}%`;
}

/** A score with three decimals, `N/A` where there is none. */
export function score(value: number | null | undefined): string {
  return value === null || value === undefined ? "N/A" : fixed(value, 3);
}

/** A span of time for people: `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`. */
export function duration(totalSeconds: number): string {
  if (totalSeconds < 10) return `${fixed(totalSeconds, 1)} s`;
  const whole = Math.round(totalSeconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** `1 task`, `2 tasks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${thousands(count)} ${count === 1 ? one : many}`;
}

/** A sum of money for people: cents, or four decimals where that would hide it. */
export function usd(value: number): string {
  return `$${fixed(value, value !== 0 && Math.abs(value) < 0.1 ? 4 : 2)}`;
}
