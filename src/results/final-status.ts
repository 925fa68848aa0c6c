/** How an attempt ended, as written to `task.json` (formats.md 5.2). */
export const finalStatuses = [
  "SUCCESS",
  "FAILURE",
  "ERROR",
  "BUILD_FAILED",
  "TIMEOUT",
  "MAX_TURNS_EXHAUSTED",
  "TOKEN_BUDGET_EXCEEDED",
  "COST_BUDGET_EXCEEDED",
  "NOT_GRADED",
] as const;

export type FinalStatus = (typeof finalStatuses)[number];

/** The bucket that a status is counted in. */
export type Category = "succeeded" | "failed" | "error" | "ungraded";

const facts = {
  SUCCESS: { category: "succeeded", icon: "+" },
  FAILURE: { category: "failed", icon: "-" },
  ERROR: { category: "error", icon: "!" },
  BUILD_FAILED: { category: "error", icon: "B" },
  TIMEOUT: { category: "failed", icon: "T" },
  MAX_TURNS_EXHAUSTED: { category: "failed", icon: "M" },
  TOKEN_BUDGET_EXCEEDED: { category: "failed", icon: "#" },
  COST_BUDGET_EXCEEDED: { category: "failed", icon: "$" },
  NOT_GRADED: { category: "ungraded", icon: "?" },
} as const satisfies Record<FinalStatus, { category: Category; icon: string }>;

/** The bucket of a status: succeeded, failed, error or ungraded. */
export function categoryOf(status: FinalStatus): Category {
  return facts[status].category;
}

/** One character for compact tables. */
export function iconOf(status: FinalStatus): string {
  return facts[status].icon;
}

export function isFinalStatus(value: unknown): value is FinalStatus {
  return typeof value === "string" && Object.hasOwn(facts, value);
}
