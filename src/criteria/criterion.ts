import { z } from "zod";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { laxFloat } from "../schema/lax.ts";

/** Early stop watches tool calls, so only types that are decided by tool calls may carry these keys. */
const onlyForLiveTypes = (key: string) =>
  z.undefined({ error: `'${key}' is only for command_executed and skill_triggered, which can be decided during the run` }).optional();

/** Fields that every criterion has (formats.md 2.1). Unknown keys are refused by each type's own strict object. */
export const criterionBase = z.strictObject({
  type: z.string(),
  description: z.string(),
  weight: laxFloat(z.number().min(0)).default(1),
  pass_threshold: laxFloat(z.number().min(0).max(1)).default(0.9),
  suite_thresholds: z.record(z.string(), laxFloat()).nullable().default(null),
  stop_early: onlyForLiveTypes("stop_early"),
  stop_when: onlyForLiveTypes("stop_when"),
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

/** A tool call of the agent, as the trajectory criteria see it. */
export interface ToolCall {
  readonly tool_name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `success`, `error`, `unknown` or null. */
  readonly result_status: string | null;
}

/** What a checker may use: a quiet sandbox and the environment of criterion commands. */
export interface CriterionContext {
  readonly sandbox: Sandbox;
  /** Variables for criterion commands (PATH with venv first, TASK_DIR, …), formats.md 1.4. */
  readonly commandEnv: Readonly<Record<string, string>>;
  /** Names that a pattern in a criterion's path does not find (`node_modules`, …), formats.md 2.1; default: the packaged ignore list. */
  readonly ignoredNames?: ((name: string) => boolean) | undefined;
  /** Of all turns, crashed ones too, in order; undefined when there is no turn. */
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly signal: AbortSignal;
}

/** One criterion type: what its block looks like and how it is judged. */
export interface CriterionChecker<Schema extends z.ZodType> {
  readonly type: string;
  readonly schema: Schema;
  readonly check: (criterion: z.infer<Schema>, context: CriterionContext) => Promise<CheckOutcome>;
}

/** A finding without a verdict on the content: score 0 and the reason, e.g. the file is not there. */
export function failedCheck(error: string, details: string | null = null): CheckOutcome {
  return { score: 0, details, error };
}
