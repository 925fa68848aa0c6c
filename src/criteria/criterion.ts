import { z } from "zod";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { laxFloat } from "../schema/lax.ts";

/** Fields that every criterion has (formats.md 2.1). Unknown keys are refused by each type's own strict object. */
export const criterionBase = z.strictObject({
  type: z.string(),
  description: z.string(),
  weight: laxFloat(z.number().min(0)).default(1),
  pass_threshold: laxFloat(z.number().min(0).max(1)).default(0.9),
  suite_thresholds: z.record(z.string(), laxFloat()).nullable().default(null),
  stop_early: z.unknown().optional(),
  stop_when: z.unknown().optional(),
});

/** What a checker found. A throw of the checker becomes score 0 with `error`; it is never caught by the checker itself. */
export interface CheckOutcome {
  /** 0 … 1. */
  readonly score: number;
  readonly details: string | null;
  readonly error: string | null;
  readonly observedLabel?: string | undefined;
  readonly expectedLabel?: string | undefined;
}

/** What a checker may use: a quiet sandbox and the environment of criterion commands. */
export interface CriterionContext {
  readonly sandbox: Sandbox;
  /** Variables for criterion commands (PATH with venv first, TASK_DIR, …), formats.md 1.4. */
  readonly commandEnv: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One criterion type: what its block looks like and how it is judged. */
export interface CriterionChecker<Schema extends z.ZodType> {
  readonly type: string;
  readonly schema: Schema;
  readonly check: (criterion: z.infer<Schema>, context: CriterionContext) => Promise<CheckOutcome>;
}
