import { z } from "zod";
import { flagOr, listOf, numberOr, textOrNull } from "../tolerant.ts";

/**
 * `config`: a setting of the run or of tasks. `content`: the files and texts of tasks. `environment`: what the run happens in, before and
 * now. `versions`: the tasks of one run saw different versions (formats.md 8.7). `algorithm`: the stamps were made by different rules.
 */
export const driftKinds = ["config", "content", "environment", "versions", "algorithm"] as const;

/** One difference: a row of the table that people are shown. Texts are bounded; secrets are hidden. */
export const driftEntrySchema = z.object({
  kind: z.enum(driftKinds),
  /** `run_limits.max_turns`, `success_criteria`, `file templates/app.py`, `image node:24`, `max_parallel`, … */
  field: z.string(),
  /** JSON, or a short digest of what is no value; null: absent. Of `versions` all but `now`, oldest first. */
  before: textOrNull,
  /** Of `versions` that of the task which was started last. */
  now: textOrNull,
  /** Who set the value of now: `cli (--model)`, `task`, `variant`, …; null where nobody is to be named. */
  set_by: textOrNull,
  /** It cannot change a result: listed, but no reason for a warning. */
  benign: flagOr(false),
  /** Kept rows that it concerns, of `versions` those without the most common one; 0: it is not about single rows. */
  rows: numberOr(0),
  /** The first of their tasks. */
  tasks: listOf(z.string()),
});

export type DriftEntry = z.infer<typeof driftEntrySchema>;
export type DriftKind = (typeof driftKinds)[number];
