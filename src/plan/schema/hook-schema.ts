import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";

// formats.md 1.2. Time-outs are seconds.

const timeout = laxInt(z.int().min(1).max(300)).default(30);

export const preRunSchema = z.strictObject({ command: z.string(), timeout, fail_on_error: laxBool().default(true) });
export const postRunSchema = z.strictObject({ command: z.string(), timeout });

export type PreRunCommand = z.infer<typeof preRunSchema>;
export type PostRunCommand = z.infer<typeof postRunSchema>;
