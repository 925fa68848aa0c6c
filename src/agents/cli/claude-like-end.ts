import type { CallUsage, EndEvent } from "../agent-event.ts";
import { statusIn } from "./api-status.ts";
import type { ClaudeDialect } from "./claude-dialect.ts";
import { countAt, flagAt, numberAt, objectAt, type StreamObject, textAt, textsAt } from "./stream-line.ts";

/**
 * The `result` line. Its usage is that by model where it is told (formats.md 10.3): the plain `usage` leaves out what sub-agents used and
 * the call that a budget stopped.
 */
export function claudeLikeEnd(value: StreamObject, dialect: ClaudeDialect): EndEvent {
  const subtype = textAt(value, "subtype") ?? "unknown";
  const isError = flagAt(value, "is_error") ?? subtype !== "success";
  const models = modelsOf(objectAt(value, "modelUsage"));
  const plain = dialect.usage(objectAt(value, "usage"));
  const usage = models.length > 0 ? sumOf(models.map((entry) => entry.usage)) : plain;
  const message = textAt(value, "result") ?? textAt(objectAt(value, "error"), "message") ?? textsAt(value, "errors")?.join("\n");
  return {
    kind: "end",
    isError,
    subtype,
    stopReason: textAt(value, "stop_reason"),
    result: message,
    turns: countAt(value, "num_turns"),
    // A failure without a single token is one of which nothing is known.
    usage: isError && usage !== undefined && total(usage) === 0 ? undefined : usage,
    costUsd: costOf(value),
    models: models.length > 0 ? models : undefined,
    apiStatus: countAt(value, "api_error_status") ?? (isError && message !== undefined ? statusIn(message) : undefined),
    maxTurnsReached: subtype === "error_max_turns" || textAt(value, "terminal_reason") === "max_turns" ? true : undefined,
  };
}

type ModelShare = NonNullable<EndEvent["models"]>[number];

function modelsOf(byModel: StreamObject): ModelShare[] {
  return Object.keys(byModel).map((model) => {
    const share = objectAt(byModel, model);
    const usage = {
      uncachedInput: countAt(share, "inputTokens") ?? 0,
      cacheCreation: countAt(share, "cacheCreationInputTokens") ?? 0,
      cacheRead: countAt(share, "cacheReadInputTokens") ?? 0,
      output: countAt(share, "outputTokens") ?? 0,
      reasoning: countAt(share, "thinkingTokens") ?? null,
    };
    return { model, usage, costUsd: isGuess(share) ? undefined : numberAt(share, "costUSD") };
  });
}

/** The cost of a model that is not on the program's price list is a guess of the program. */
function isGuess(share: StreamObject): boolean {
  return textAt(share, "costBasis") === "unknown";
}

function costOf(value: StreamObject): number | undefined {
  const byModel = objectAt(value, "modelUsage");
  const shares = Object.keys(byModel).map((model) => objectAt(byModel, model));
  const failedAtOnce = flagAt(value, "is_error") === true && shares.length === 0;
  return failedAtOnce || shares.some(isGuess) ? undefined : numberAt(value, "total_cost_usd");
}

function sumOf(usages: readonly CallUsage[]): CallUsage {
  const sum = (of: (usage: CallUsage) => number): number => usages.reduce((before, usage) => before + of(usage), 0);
  return {
    uncachedInput: sum((usage) => usage.uncachedInput),
    cacheCreation: sum((usage) => usage.cacheCreation),
    cacheRead: sum((usage) => usage.cacheRead),
    output: sum((usage) => usage.output),
    reasoning: usages.some((usage) => usage.reasoning !== null) ? sum((usage) => usage.reasoning ?? 0) : null,
  };
}

function total(usage: CallUsage): number {
  return usage.uncachedInput + usage.cacheCreation + usage.cacheRead + usage.output;
}
