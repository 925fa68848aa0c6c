import { z } from "zod";
import { cliMatchSchema } from "../../criteria/cli/cli-match-schema.ts";
import { laxInt } from "../../schema/lax.ts";

// formats.md 1.4 `RecordedCli`.

const exitCode = laxInt(z.int().min(0).max(255));
/** Names that the folder of the stand-ins needs for itself, or that are no names. */
const taken = new Set([".", "..", ".responses", "calls.jsonl", "calls.jsonl.error"]);
const reserved = new Set(["python", "python3", "py", "env", "sh", "bash", "zsh", "cmd", "node", "uv", "git"]);

/** A tool whose calls a shim on PATH records (since 0.9.6). */
export const recordedCliSchema = z.strictObject({
  tool: z
    .string()
    .regex(/^[A-Za-z0-9._+-]+$/, { message: "a tool is a plain name of letters, digits, '.', '_', '+' and '-'" })
    .refine((tool) => !taken.has(tool), { message: "a tool cannot have this name: the folder of the stand-ins uses it itself" })
    .refine((tool) => !reserved.has(tool), { message: `the tool must not be one of ${[...reserved].join(", ")}` }),
  exit_code: exitCode.default(1),
  stdout: z.string().default(""),
  stderr: z.string().default(""),
  responses: z
    .array(
      z.strictObject({
        when: cliMatchSchema,
        exit_code: exitCode.default(0),
        stdout: z.string().default(""),
        stderr: z.string().default(""),
      }),
    )
    .default(() => []),
});
