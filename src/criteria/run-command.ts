import { z } from "zod";
import { laxBool, laxInt } from "../schema/lax.ts";
import { criterionBase } from "./criterion.ts";

export const runCommandSchema = criterionBase
  .extend({
    type: z.literal("run_command"),
    command: z.string(),
    timeout: laxInt().default(30),
    expected_exit_code: laxInt().default(0),
    expected_stdout: z.string().nullable().default(null),
    stdout_match: z.enum(["exact", "contains", "regex"]).default("exact"),
    score_from_stdout: laxBool().default(false),
    read_only: laxBool().optional(),
  })
  .refine((criterion) => !(criterion.score_from_stdout && criterion.expected_stdout !== null), {
    path: ["expected_stdout"],
    error: "'expected_stdout' and 'score_from_stdout' exclude each other: the first line of stdout is the score",
  });
