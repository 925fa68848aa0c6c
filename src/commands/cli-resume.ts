import { type Command, Option } from "commander";
import { InputError } from "../errors.ts";
import { type DriftPolicy, driftPolicies, type RetryPolicy, retryPolicies } from "../results/resume/resume-facts.ts";
import type { ResumeRequest } from "./earlier-part.ts";

/** How `run` continues an earlier run. */
export interface ResumeFlags {
  readonly resume: boolean;
  readonly retry: RetryPolicy;
  readonly onDrift: DriftPolicy;
}

/** Adds the flags of `ResumeFlags`. */
export function withResume(command: Command): Command {
  return command
    .option("--resume", "continue the run in --run-dir: results that are there are kept, the rest is run", false)
    .addOption(
      new Option("--retry <which>", "with --resume, what runs again besides rows without a result: nothing, errors, or errors and failures")
        .choices(retryPolicies)
        .default("missing"),
    )
    .addOption(
      new Option("--on-drift <what>", "with --resume, when settings or files have changed: warn, rerun what they concern, or fail")
        .choices(driftPolicies)
        .default("warn"),
    );
}

/**
 * @returns undefined for a run from scratch
 * @throws InputError `usage` for wishes that only a resume can fulfil: a run that ignored them would not be what somebody asked for
 */
export function resumeOf({ resume, retry, onDrift }: ResumeFlags): ResumeRequest | undefined {
  if (!resume) {
    const idle = retry !== "missing" ? `--retry ${retry}` : onDrift !== "warn" ? `--on-drift ${onDrift}` : undefined;
    if (idle === undefined) return undefined;
    const hint = "add --resume, with the run directory as --run-dir";
    throw new InputError([{ severity: "error", code: "usage", message: `${idle} needs --resume`, hint }]);
  }
  const source = { kind: "directory", artifact: null, url: null, workflow_run_id: null, workflow_run_attempt: null } as const;
  return { retry, onDrift, source };
}
