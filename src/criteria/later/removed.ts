import { z } from "zod";

const replacements = {
  program_stdout_equals: "use run_command with expected_stdout",
  code_lints: "use run_command with the linter's command line",
  scored_command: "use run_command with score_from_stdout: true",
} as const;

function removed<Name extends keyof typeof replacements>(type: Name) {
  return z.looseObject({ type: z.literal(type) }).transform((_criterion, ctx): never => {
    ctx.addIssue({ code: "custom", path: ["type"], message: `criterion type '${type}' was removed; ${replacements[type]}` });
    return z.NEVER;
  });
}

/** Types of old task files: each is refused with what to write instead (formats.md 1.1). */
export const removedCriteria = [removed("program_stdout_equals"), removed("code_lints"), removed("scored_command")] as const;
