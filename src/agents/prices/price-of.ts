import type { CallUsage } from "../agent-event.ts";

/** USD for tokens of a model; null where the model has no known price. */
export type PriceOf = (model: string, usage: CallUsage) => number | null;

export const priceOf: PriceOf = () => null;
