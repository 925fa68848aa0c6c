import { z } from "zod";
import { laxBool, laxInt } from "../schema/lax.ts";
import { textListOrNull, textOrNull } from "./field-types.ts";

// formats.md 1.4 `RecordedCli` and 2.2 `cli_called`: only what `sandbox.record_cli` needs.

const flagMatch = z
  .strictObject({
    equals: textOrNull,
    contains: textOrNull,
    matches_regex: textOrNull,
    any_of: z.array(z.string()).min(1).nullable().default(null),
    absent: laxBool().default(false),
    present: laxBool().default(false),
    aliases: z.array(z.string()).default(() => []),
    flags: laxInt().default(0),
  })
  .refine(
    (match) =>
      [match.equals, match.contains, match.matches_regex, match.any_of].filter((test) => test !== null).length +
        Number(match.absent) +
        Number(match.present) ===
      1,
    { message: "give exactly one of equals, contains, matches_regex, any_of, absent, present" },
  );

/** A plain value is short for `{equals: value}`. */
function fromScalar(value: unknown): unknown {
  return typeof value === "string" ? { equals: value } : value;
}

const cliMatch = z
  .strictObject({
    verb: textOrNull,
    verb_any_of: textListOrNull,
    positional: textListOrNull,
    flags: z.record(z.string(), z.preprocess(fromScalar, flagMatch)).nullable().default(null),
    value_flags: z.array(z.string()).default(() => ["output"]),
    ignore_flags: z.array(z.string()).default(() => []),
  })
  .refine((match) => match.verb === null || match.verb_any_of === null, { message: "verb and verb_any_of exclude each other" });

const exitCode = laxInt(z.int().min(0).max(255));
const reserved = new Set(["python", "python3", "py", "env", "sh", "bash", "zsh", "cmd", "node", "uv", "git"]);

/** A tool whose calls a shim on PATH records (since 0.9.6). */
export const recordedCliSchema = z.strictObject({
  tool: z
    .string()
    .regex(/^[A-Za-z0-9._+-]+$/)
    .refine((tool) => !reserved.has(tool), { message: `the tool must not be one of ${[...reserved].join(", ")}` }),
  exit_code: exitCode.default(1),
  stdout: z.string().default(""),
  stderr: z.string().default(""),
  responses: z
    .array(
      z.strictObject({
        when: cliMatch,
        exit_code: exitCode.default(0),
        stdout: z.string().default(""),
        stderr: z.string().default(""),
      }),
    )
    .default(() => []),
});
