import { z } from "zod";
import { searchPythonRegex } from "../python/regex.ts";
import { laxBool, laxInt } from "../schema/lax.ts";
import { type CriterionChecker, type CriterionContext, failedCheck, type ToolCall } from "./criterion.ts";
import { type CompiledFilter, compileFilter, fits } from "./tool-calls/count-calls.ts";
import { examplesOf } from "./tool-calls/examples.ts";
import { liveCriterionBase, noTurnError } from "./tool-calls/live-base.ts";
import { exampleOf } from "./tool-calls/search-texts.ts";

const count = () => laxInt(z.int().min(0));

const filters = {
  tool_name: z.string().nullable().default(null),
  command_pattern: z.string().nullable().default(null),
};
const moreFilters = {
  require_success: laxBool().default(false),
  exclude_pattern: z.string().nullable().default(null),
};

export const commandExecutedSchema = liveCriterionBase
  .extend({
    type: z.literal("command_executed"),
    ...filters,
    min_count: count().default(1),
    max_count: count().nullable().default(null),
    ...moreFilters,
  })
  .refine((criterion) => criterion.max_count === null || criterion.max_count >= criterion.min_count, {
    path: ["max_count"],
    error: "'max_count' must not be below 'min_count' (default 1)",
  });

const onlyZero = () =>
  laxInt(z.int().max(0, { error: "command_not_executed always means 0 calls; use command_executed for other counts" }));

/** The old name of "no such call": read as `command_executed` with both counts 0 (formats.md 1.1). */
export const commandNotExecutedSchema = liveCriterionBase
  .extend({
    type: z.literal("command_not_executed"),
    ...filters,
    min_count: onlyZero().nullable().optional(),
    max_count: onlyZero().nullable().optional(),
    ...moreFilters,
  })
  .transform(
    ({ require_success, exclude_pattern, ...rest }): z.output<typeof commandExecutedSchema> => ({
      ...rest,
      type: "command_executed",
      min_count: 0,
      max_count: 0,
      require_success,
      exclude_pattern,
    }),
  );

export type CommandExecuted = z.output<typeof commandExecutedSchema>;

/** Score of so many counted calls (formats.md 2.2): a share of `min_count`, or with `max_count` whether the number is allowed. */
export function countScore(counted: number, criterion: Pick<CommandExecuted, "min_count" | "max_count">): number {
  const { min_count, max_count } = criterion;
  if (max_count !== null) return counted >= min_count && counted <= max_count ? 1 : 0;
  return min_count === 0 ? 1 : Math.min(1, counted / min_count);
}

export const commandExecuted: CriterionChecker<typeof commandExecutedSchema> = {
  type: "command_executed",
  schema: commandExecutedSchema,
  check: async (criterion, context) => {
    if (context.toolCalls === undefined) return failedCheck(noTurnError);
    const filter = compileFilter(criterion);
    if ("fault" in filter) return failedCheck(`Invalid regex: ${filter.fault}`, `Invalid ${filter.field} regex: ${filter.fault}`);
    const matched: ToolCall[] = [];
    for (const call of context.toolCalls) {
      if (criterion.require_success && call.result_status !== "success") continue;
      if (await fitsInThread(call, filter, context)) matched.push(call);
    }
    const { min_count, max_count } = criterion;
    const counted =
      max_count === null
        ? `${matched.length}/${min_count} required`
        : `${matched.length} matches (allowed range ${min_count}..${max_count})`;
    const details = `Matched ${counted} commands (filters: ${filtersOf(criterion)})${examplesOf(matched.slice(0, 3).map(exampleOf))}`;
    return { score: countScore(matched.length, criterion), details, error: null };
  },
};

/** @throws RegexTimeoutError for a pattern that runs away, or the signal's reason */
async function fitsInThread(call: ToolCall, filter: CompiledFilter, context: CriterionContext): Promise<boolean> {
  const asked = fits(call, filter);
  let step = asked.next(false);
  while (step.done !== true) {
    const { regex, text } = step.value;
    step = asked.next((await searchPythonRegex(regex, text, { signal: context.signal })) !== undefined);
  }
  return step.value;
}

function filtersOf({ tool_name, command_pattern, require_success, exclude_pattern }: CommandExecuted): string {
  const parts = [
    ...(tool_name === null ? [] : [`tool_name=${tool_name}`]),
    ...(command_pattern === null ? [] : [`pattern=/${command_pattern}/`]),
    ...(require_success ? ["require_success=True"] : []),
    ...(exclude_pattern === null ? [] : [`exclude=/${exclude_pattern}/`]),
  ];
  return parts.length === 0 ? "none" : parts.join(", ");
}
