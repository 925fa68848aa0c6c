import { fetchEarlierRun, mayHaveEarlierRun, originOf } from "../github/earlier-run.ts";
import { readPriorRun } from "../results/prior-run.ts";
import type { ResumeSource } from "../results/resume/resume-facts.ts";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import { artifactNameParts, type JobContext } from "./job-context.ts";
import type { RunOptions } from "./run-context.ts";
import { freshRunPath } from "./run-dir.ts";

/** Where the run's directory is, and what of it was there before. */
export type JobRunDir = Pick<RunOptions, "runDir" | "resume" | "origin">;

/**
 * Finds the earlier attempt of this job, if it is to be continued: on this machine, else among the artifacts on GitHub. What is not
 * found or cannot be trusted is told, and every task runs: a job never fails for want of an earlier one.
 */
export async function findRunDir(job: JobContext, signal: AbortSignal): Promise<JobRunDir> {
  const { environment, inputs, commands, env } = job;
  const { runDir, resume: mode, resumeFrom: from } = inputs;
  const origin = originOf(environment, inputs.matrixLeg);
  if (mode === "false" || (mode === "auto" && !mayHaveEarlierRun(from, environment.runAttempt))) return { runDir, origin };
  const fromScratch = (why: string): JobRunDir => {
    commands.notice(`every task is run, since there is nothing to continue: ${job.redactor.redact(why).text}`, { title: "evalbatch" });
    return { runDir, origin };
  };
  if (origin === null) return fromScratch("this is no job of a workflow");
  const continued = (dir: string, source: ResumeSource): JobRunDir => {
    return { runDir: dir, origin, resume: { retry: inputs.retry, onDrift: inputs.onDrift, source } };
  };
  // On a machine that is used again. Only what this very workflow run left there: a pull request can bring any files along.
  if (runDir !== undefined && from === undefined && (await isOfSameRun(runDir, origin)))
    return continued(runDir, { kind: "directory", artifact: null, url: null, ...placeOf(origin) });
  const into = runDir ?? freshRunPath({ cwd: inputs.workingDirectory, env }, new Date());
  const found = await fetchEarlierRun(
    { mode, from, origin, name: artifactNameParts(job), into },
    {
      environment,
      env,
      token: inputs.githubToken,
      signal,
      log: environment.debug ? (text) => commands.lines(text, "artifact | ") : undefined,
    },
  );
  if (found.kind === "none") return fromScratch(found.why);
  if (found.notes.length > 0) commands.lines(job.redactor.redact(found.notes.join("\n")).text, "evalbatch | ");
  return continued(into, found.source);
}

function placeOf({ workflow_run_id, workflow_run_attempt }: RunOrigin) {
  return { workflow_run_id, workflow_run_attempt };
}

async function isOfSameRun(runDir: string, origin: RunOrigin): Promise<boolean> {
  const theirs = (await readPriorRun(runDir).catch(() => undefined))?.plan?.origin ?? null;
  if (theirs === null) return false;
  const { workflow_run_attempt: attempt, ...place } = theirs;
  const { workflow_run_attempt: ours, ...here } = origin;
  return attempt < ours && JSON.stringify(place) === JSON.stringify(here);
}
