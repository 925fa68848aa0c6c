import { foldIssues } from "../plan/fold-issues.ts";
import { makePlan, type PlanOptions } from "../plan/plan.ts";
import { renderFolded } from "../plan/render-issues.ts";
import { exitCodes } from "./exit-codes.ts";
import { explainField, renderExplanations } from "./plan-explain.ts";
import { planJsonChunks } from "./plan-json.ts";
import { renderPlan } from "./plan-table.ts";

export interface PlanCommandOptions extends Omit<PlanOptions, "unsupported"> {
  readonly json: boolean;
  /** Dotted path of a field to tell the origin of, instead of the table. */
  readonly explain?: string | undefined;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

export interface PlanOutcome {
  /** The plan as a table or as JSON, for stdout, in pieces. */
  readonly text: Iterable<string>;
  /** Errors and warnings of the task files, for stderr; empty when there are none. */
  readonly problems: string;
  readonly exitCode: number;
}

/** Shows what would run. @throws InputError, InterruptedError as `makePlan`; InputError for an unknown field to explain */
export async function planCommand(options: PlanCommandOptions): Promise<PlanOutcome> {
  const plan = await makePlan({ ...options, unsupported: "note" });
  const problems = plan.issues.length === 0 ? "" : `${renderFolded(foldIssues(plan.issues), plan.lineOf)}\n`;
  const exitCode = plan.loadFailures > 0 ? exitCodes.failed : exitCodes.passed;
  const { explain, json, columns } = options;
  if (explain === undefined) return { text: json ? planJsonChunks(plan) : [renderPlan(plan, columns)], problems, exitCode };
  const explanations = explainField(plan, explain);
  const text = json ? `${JSON.stringify(explanations, null, 2)}\n` : renderExplanations(explain, explanations, columns);
  return { text: [text], problems, exitCode };
}
