import type { RunLimits } from "../plan/schema/task-schema.ts";

/** Tokens and money so far, in buckets that do not overlap. */
export interface Spent {
  readonly uncachedInput: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
  readonly output: number;
  /** null: nothing was priced. */
  readonly usd: number | null;
}

/** A limit that was passed. */
export interface Breach {
  readonly budget: "tokens" | "cost";
  readonly message: string;
}

/**
 * Pure: the first budget that is exceeded, in the order input, output, total, usd; exceeded means strictly more (formats.md 5.8.5).
 * `tokens` undefined: no tokens are known, and none are checked.
 */
export function firstBreach(spent: Spent, hasTokens: boolean, limits: RunLimits): Breach | undefined {
  const input =
    spent.uncachedInput + (limits.count_cache_creation ? spent.cacheCreation : 0) + (limits.count_cached_input ? spent.cacheRead : 0);
  const checks = [
    { name: "input_tokens", budget: "tokens", used: hasTokens ? input : null, limit: limits.max_input_tokens },
    { name: "output_tokens", budget: "tokens", used: hasTokens ? spent.output : null, limit: limits.max_output_tokens },
    { name: "total_tokens", budget: "tokens", used: hasTokens ? input + spent.output : null, limit: limits.max_total_tokens },
    { name: "usd", budget: "cost", used: spent.usd, limit: limits.max_usd },
  ] as const;
  for (const { name, budget, used, limit } of checks) {
    if (used === null || limit === null || used <= limit) continue;
    // All turns of a task without a dialog have the number 1.
    return { budget, message: `${name} budget exceeded: ${amount(used)} > ${amount(limit)} (iteration 1)` };
  }
  return undefined;
}

/** Without the noise of sums of fractions. */
function amount(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
}
