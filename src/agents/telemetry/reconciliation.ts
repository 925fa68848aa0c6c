import type { Message } from "../../results/turn-record.ts";
import type { CallUsage } from "../agent-event.ts";

const keys = ["input_tokens", "output_tokens", "cache_creation_tokens", "cache_read_tokens"] as const;

/** What has to be added to the messages, bucket by bucket, to give the tokens of the whole turn; undefined where nothing has to. */
export function reconciliation(messages: readonly Message[], usage: CallUsage | undefined): Message | undefined {
  if (usage === undefined) return undefined;
  const sums = { input_tokens: 0, output_tokens: 0, cache_creation_tokens: 0, cache_read_tokens: 0 };
  for (const message of messages) {
    for (const key of keys) {
      const tokens = message[key];
      if (typeof tokens === "number") sums[key] += tokens;
    }
  }
  const rest = {
    input_tokens: usage.uncachedInput - sums.input_tokens,
    output_tokens: usage.output - sums.output_tokens,
    cache_creation_tokens: usage.cacheCreation - sums.cache_creation_tokens,
    cache_read_tokens: usage.cacheRead - sums.cache_read_tokens,
  };
  if (keys.every((key) => rest[key] === 0)) return undefined;
  return { role: "reconciliation", ...rest, note: "tokens of the turn that belong to no message" };
}
