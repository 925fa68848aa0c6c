import type { CallUsage, EndEvent, ModelCallEvent } from "../agent-event.ts";
import type { PriceOf } from "../prices/price-of.ts";
import { addUsage, sameTokens, sumUsage, tokensOf, told } from "./call-usage.ts";

interface Call {
  readonly messageId: string | undefined;
  readonly model: string | undefined;
  readonly usage: CallUsage | undefined;
  /** What the agent itself says that it cost. */
  readonly ownCostUsd: number | undefined;
  readonly costUsd: number | null;
  readonly stopReason: string | undefined;
  readonly at: Date;
  readonly bySubAgent: boolean;
}

export interface Totals {
  readonly usage: CallUsage | undefined;
  readonly costUsd: number | null;
}

/** Input tokens of one call from which on some models cost more. Sums below it may be priced as one call. */
const firstTier = 100_000;

/** The calls of models of one turn, what they used and what that costs. */
export class ModelCalls {
  readonly #priceOf: PriceOf;
  readonly #calls = new Map<string, Call>();
  #sessionModel: string | undefined;
  #unnamed = 0;
  #own = 0;
  #usage: CallUsage | undefined;
  #costUsd: number | null = null;

  constructor(priceOf: PriceOf) {
    this.#priceOf = priceOf;
  }

  sessionModel(model: string): void {
    this.#sessionModel = model;
  }

  /** Calls of the agent itself, without those of its sub-agents. */
  get count(): number {
    return this.#own;
  }

  /** Of the calls that are over. */
  get soFar(): Totals {
    return { usage: this.#usage, costUsd: this.#costUsd };
  }

  /** The model of the agent's last call, else that of its session. */
  get model(): string | null {
    const last = this.all().findLast((call) => call.model !== undefined && !call.bySubAgent);
    return last?.model ?? this.#sessionModel ?? null;
  }

  entries(): [string, Call][] {
    return [...this.#calls];
  }

  all(): Call[] {
    return [...this.#calls.values()];
  }

  /** @returns a key of the call; the same for a correction of it */
  push(event: ModelCallEvent, at: Date): string {
    const key = event.messageId === undefined ? `unnamed ${this.#unnamed++}` : `named ${event.messageId}`;
    const before = this.#calls.get(key);
    const model = event.model ?? before?.model ?? this.#sessionModel;
    const usage = told(event.usage) ?? before?.usage;
    const ownCostUsd = ownCost(event.costUsd, usage) ?? before?.ownCostUsd;
    const call: Call = {
      messageId: event.messageId,
      model,
      usage,
      ownCostUsd,
      costUsd: ownCostUsd ?? this.#price(model, usage, before?.at ?? at, 1),
      stopReason: event.stopReason ?? before?.stopReason,
      at: before?.at ?? at,
      bySubAgent: before?.bySubAgent ?? event.parentToolCallId !== undefined,
    };
    this.#calls.set(key, call);
    if (before === undefined) {
      if (!call.bySubAgent) this.#own += 1;
      if (usage !== undefined) this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage);
      if (call.costUsd !== null) this.#costUsd = (this.#costUsd ?? 0) + call.costUsd;
    } else {
      this.#usage = sumUsage(this.all().map((each) => each.usage));
      this.#costUsd = knownCost(this.all());
    }
    return key;
  }

  /** Of the whole turn: the agent's own last word wins over the sum of its calls, and its own price over the list's. */
  totals(end: EndEvent | undefined): Totals {
    const shares = end?.models ?? [];
    const usage = told(end?.usage) ?? sumUsage(shares.map((share) => told(share.usage))) ?? this.#usage;
    const costUsd = ownCost(end?.costUsd, usage) ?? this.#sharesCost(end) ?? this.#callsCost(usage) ?? this.#sumCost(usage, end);
    return { usage, costUsd };
  }

  #sharesCost(end: EndEvent | undefined): number | null {
    const shares = end?.models ?? [];
    if (end === undefined || shares.length === 0) return null;
    const at = this.all().at(-1)?.at ?? end.at ?? new Date(Number.NaN);
    let sum = 0;
    for (const { model, usage, costUsd } of shares) {
      const tokens = told(usage);
      const calls = this.all().filter((call) => call.model === model).length;
      const cost = ownCost(costUsd, tokens) ?? (tokens === undefined ? 0 : this.#price(model, tokens, at, calls));
      if (cost === null) return null;
      sum += cost;
    }
    return sum;
  }

  /** Only where the calls are all that was used, and each has a price. */
  #callsCost(usage: CallUsage | undefined): number | null {
    const calls = this.all();
    const isAll = usage === undefined || (this.#usage !== undefined && sameTokens(usage, this.#usage));
    const spent = calls.filter((call) => call.usage !== undefined || call.ownCostUsd !== undefined);
    return isAll && spent.every((call) => call.costUsd !== null) ? knownCost(spent) : null;
  }

  #sumCost(usage: CallUsage | undefined, end: EndEvent | undefined): number | null {
    if (usage === undefined) return null;
    const models = new Set(this.all().flatMap(({ model }) => model ?? []));
    if (models.size > 1) return null;
    const [model = this.#sessionModel] = models;
    const at = this.all().at(-1)?.at ?? end?.at ?? new Date(Number.NaN);
    return this.#price(model, usage, at, end?.turns ?? this.#own);
  }

  /** @param calls over how many calls the tokens are spread: what a long prompt costs is decided by each call */
  #price(model: string | undefined, usage: CallUsage | undefined, at: Date, calls: number): number | null {
    if (model === undefined || usage === undefined) return null;
    const parts = tokensOf(usage) < firstTier || !Number.isFinite(calls) ? 1 : Math.max(1, Math.round(calls));
    const part = {
      uncachedInput: usage.uncachedInput / parts,
      cacheCreation: usage.cacheCreation / parts,
      cacheRead: usage.cacheRead / parts,
      output: usage.output / parts,
      reasoning: usage.reasoning,
    };
    const price = this.#priceOf(model, part, at);
    return price === null || !Number.isFinite(price) ? null : price * parts;
  }
}

/** A price of 0 for tokens is what an agent says that knows no price of its model. */
function ownCost(costUsd: number | undefined, usage: CallUsage | undefined): number | undefined {
  if (costUsd === undefined || !Number.isFinite(costUsd) || costUsd < 0) return undefined;
  return costUsd > 0 || usage === undefined ? costUsd || undefined : undefined;
}

function knownCost(calls: readonly Call[]): number | null {
  let sum: number | null = null;
  for (const { costUsd } of calls) if (costUsd !== null) sum = (sum ?? 0) + costUsd;
  return sum;
}
