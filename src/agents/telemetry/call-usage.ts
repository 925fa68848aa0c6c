import type { TokenUsage } from "../../results/token-usage.ts";
import type { CallUsage } from "../agent-event.ts";

/** Whole counts from 0 on: what is none of that says nothing. */
function count(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;
}

export function cleanUsage(usage: CallUsage): CallUsage {
  return {
    uncachedInput: count(usage.uncachedInput),
    cacheCreation: count(usage.cacheCreation),
    cacheRead: count(usage.cacheRead),
    output: count(usage.output),
    reasoning: usage.reasoning === null ? null : count(usage.reasoning),
  };
}

export function tokensOf(usage: CallUsage): number {
  return usage.uncachedInput + usage.cacheCreation + usage.cacheRead + usage.output;
}

/** undefined for no usage at all, and for one of zeros: whoever called a model used tokens, so they were only not told. */
export function told(usage: CallUsage | undefined): CallUsage | undefined {
  if (usage === undefined) return undefined;
  const clean = cleanUsage(usage);
  return tokensOf(clean) === 0 ? undefined : clean;
}

/** undefined where none of them is known. */
export function sumUsage(usages: Iterable<CallUsage | undefined>): CallUsage | undefined {
  let sum: CallUsage | undefined;
  for (const usage of usages) {
    if (usage === undefined) continue;
    sum = sum === undefined ? usage : addUsage(sum, usage);
  }
  return sum;
}

export function addUsage(a: CallUsage, b: CallUsage): CallUsage {
  return {
    uncachedInput: a.uncachedInput + b.uncachedInput,
    cacheCreation: a.cacheCreation + b.cacheCreation,
    cacheRead: a.cacheRead + b.cacheRead,
    output: a.output + b.output,
    reasoning: a.reasoning === null && b.reasoning === null ? null : (a.reasoning ?? 0) + (b.reasoning ?? 0),
  };
}

export function sameTokens(a: CallUsage, b: CallUsage): boolean {
  return a.uncachedInput === b.uncachedInput && a.cacheCreation === b.cacheCreation && a.cacheRead === b.cacheRead && a.output === b.output;
}

/** As a result file has it (formats.md 5.5). */
export function toTokenUsage(usage: CallUsage, costUsd: number | null): TokenUsage {
  return {
    uncached_input_tokens: usage.uncachedInput,
    output_tokens: usage.output,
    cache_creation_input_tokens: usage.cacheCreation,
    cache_read_input_tokens: usage.cacheRead,
    total_cost_usd: costUsd,
    input_tokens: usage.uncachedInput + usage.cacheCreation + usage.cacheRead,
  };
}
