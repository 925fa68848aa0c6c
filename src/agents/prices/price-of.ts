import { calcPrice } from "@pydantic/genai-prices";
import type { CallUsage } from "../agent-event.ts";
import { pricedNames } from "./model-names.ts";

/**
 * USD for the tokens of one call of a model; null where the model has no known price. `at` is when the call was made: some prices depend
 * on the date.
 */
export type PriceOf = (model: string, usage: CallUsage, at: Date) => number | null;

/** Prices of the list that is part of this program: nothing is fetched. */
export const priceOf: PriceOf = (model, usage, at) => {
  const counts = {
    input_tokens: usage.uncachedInput + usage.cacheCreation + usage.cacheRead,
    cache_write_tokens: usage.cacheCreation,
    cache_read_tokens: usage.cacheRead,
    output_tokens: usage.output,
  };
  for (const name of pricedNames(model)) {
    const price = priceIn(name.model, name.provider, counts, at);
    if (price !== null) return price;
  }
  return null;
};

function priceIn(model: string, providerId: string | undefined, counts: Record<string, number>, at: Date): number | null {
  try {
    const timestamp = Number.isNaN(at.getTime()) ? undefined : at;
    const found = calcPrice(counts, model, {
      ...(providerId === undefined ? {} : { providerId }),
      ...(timestamp === undefined ? {} : { timestamp }),
    });
    return found !== null && Number.isFinite(found.total_price) && found.total_price >= 0 ? found.total_price : null;
  } catch {
    // It throws on counts that contradict each other, and on entries of its list that it cannot work out.
    return null;
  }
}
