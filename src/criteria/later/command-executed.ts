import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";
import { liveCriterionBase } from "./live.ts";

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
