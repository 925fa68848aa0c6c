import { z } from "zod";

/** What fails the step: any miss, only what is not a task's own failure, or nothing but an interruption. */
export const failOnWords = ["failure", "error", "never"] as const;

/** What the user asks of a run. Rates and scores are shares, 0 … 1. */
export interface GatePolicy {
  readonly failOn: (typeof failOnWords)[number];
  /** When given, failed tasks and errors count only through the pass rate. */
  readonly minPassRate: number | undefined;
  /** When given, every graded task needs this score, whatever else is asked. */
  readonly minTaskScore: number | undefined;
  readonly allowEmpty: boolean;
}

/** How a run did under a policy. */
export interface GateEnd {
  readonly passes: boolean;
  /** Why it does not pass; empty when it does. */
  readonly reasons: readonly string[];
  /** What a stricter policy would not have let pass. */
  readonly tolerated: readonly string[];
}

/** Everything has to pass. */
export const strictGate: GatePolicy = { failOn: "failure", minPassRate: undefined, minTaskScore: undefined, allowEmpty: false };

const share = z.number().min(0).max(1).nullable();

/** Strict: half a policy could be a laxer one. */
const policyFields = {
  fail_on: z.enum(failOnWords),
  min_pass_rate: share,
  min_task_score: share,
  allow_empty: z.boolean(),
};

/** The policy as `plan.json` has it. */
export const gatePolicySchema = z.object(policyFields);

/** The policy as `run.json` has it, and how the run did under it. */
export const gateRecordSchema = z.object({
  ...policyFields,
  passes: z.boolean(),
  /** Why it does not pass. */
  reasons: z.array(z.string()),
  /** What a stricter policy would not have let pass. */
  tolerated: z.array(z.string()),
});

export type GatePolicyRecord = z.infer<typeof gatePolicySchema>;
export type GateRecord = z.infer<typeof gateRecordSchema>;

/** The policy for a file. */
export function recordPolicy(policy: GatePolicy): GatePolicyRecord {
  return {
    fail_on: policy.failOn,
    min_pass_rate: policy.minPassRate ?? null,
    min_task_score: policy.minTaskScore ?? null,
    allow_empty: policy.allowEmpty,
  };
}

/** Policy and outcome for a file. */
export function recordGate(policy: GatePolicy, end: GateEnd): GateRecord {
  return { ...recordPolicy(policy), passes: end.passes, reasons: [...end.reasons], tolerated: [...end.tolerated] };
}

/** The policy of a file. */
export function policyOf(record: GatePolicyRecord): GatePolicy {
  return {
    failOn: record.fail_on,
    minPassRate: record.min_pass_rate ?? undefined,
    minTaskScore: record.min_task_score ?? undefined,
    allowEmpty: record.allow_empty,
  };
}
