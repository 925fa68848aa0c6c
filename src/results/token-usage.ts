import { z } from "zod";
import { isAsIs, unchangedIf } from "./as-is.ts";
import { isObject, numberOr, numberOrNull } from "./tolerant.ts";

const count = numberOr(0);

function fromLegacy(value: unknown): unknown {
  if (!isObject(value)) return value;
  const split = ["uncached_input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].some((key) => key in value);
  return split ? value : { ...value, uncached_input_tokens: value.input_tokens };
}

interface InputParts {
  readonly uncached_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

const writtenSchema = z.object({
  uncached_input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  total_cost_usd: numberOrNull,
  /** Computed: uncached + creation + read. */
  input_tokens: count,
});

/** Tokens and cost of something (formats.md 5.5). `total_cost_usd` null means not priced, not zero. */
export const tokenUsageSchema = unchangedIf(
  z.preprocess(
    fromLegacy,
    writtenSchema.transform((usage) => ({ ...usage, input_tokens: fullInputTokens(usage) })),
  ),
  (value) => isAsIs(writtenSchema, value) && value.input_tokens === fullInputTokens(value),
);

export type TokenUsage = z.infer<typeof tokenUsageSchema>;

/** Uncached, cache-creating and cache-reading input together. */
export function fullInputTokens(usage: InputParts): number {
  return usage.uncached_input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

/** Full input plus output. */
export function totalTokens(usage: TokenUsage): number {
  return fullInputTokens(usage) + usage.output_tokens;
}
