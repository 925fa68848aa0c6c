import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { errorMessage } from "../errors.ts";
import { fetchEarlierRun, mayHaveEarlierRun, originOf } from "../github/earlier-run.ts";
import { readPriorRun } from "../results/prior-run.ts";
import type { ResumeSource } from "../results/resume/resume-facts.ts";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import { artifactNameParts, type JobContext } from "./job-context.ts";
import type { RunOptions } from "./run-context.ts";
import { freshRunPath } from "./run-dir.ts";
import { lockRunDir } from "./run-lock.ts";

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
  const local = runDir === undefined || from !== undefined ? undefined : await attemptIn(runDir, origin);
  const here = (dir: string, workflow_run_attempt: number): JobRunDir =>
    continued(dir, { ...placeOf({ ...origin, workflow_run_attempt }), kind: "directory", artifact: null, url: null });
  if (runDir !== undefined && local === origin.workflow_run_attempt - 1) return here(runDir, local);
  const into =
    local === undefined
      ? (runDir ?? freshRunPath({ cwd: inputs.workingDirectory, env }, new Date()))
      : `${runDir}.newer-${randomBytes(4).toString("hex")}`;
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
  const tell = (text: string): void => commands.lines(job.redactor.redact(text).text, "evalbatch | ");
  if (found.kind === "found" && found.notes.length > 0) tell(found.notes.join("\n"));
  if (runDir !== undefined && local !== undefined) {
    const older = `what attempt ${local} left in ${runDir}`;
    if (found.kind === "found" && (found.source.workflow_run_attempt ?? 0) > local) {
      const exchanged = await exchange(runDir, into, local);
      if ("aside" in exchanged) {
        tell(`${older} is older than artifact ${found.source.artifact ?? ""}, and lies in ${exchanged.aside} now`);
        return continued(runDir, found.source);
      }
      tell(`${older} cannot be moved away, and is gone on with: ${exchanged.why}`);
    } else tell(`nothing newer was found than ${older}${found.kind === "none" ? `: ${found.why}` : ""}`);
    await rm(into, { recursive: true, force: true });
    return here(runDir, local);
  }
  if (found.kind === "none") return fromScratch(found.why);
  return continued(into, found.source);
}

/**
 * Puts a newer directory of the run in the place of the one that is there, which is kept.
 * @returns where it is now, or why all is as it was
 * @throws InputError `run-dir-busy` while a run lives there
 */
async function exchange(runDir: string, newer: string, attempt: number): Promise<{ readonly aside: string } | { readonly why: string }> {
  let aside = `${runDir}.attempt-${attempt}`;
  for (let number = 2; existsSync(aside); number += 1) aside = `${runDir}.attempt-${attempt}-${number}`;
  await (await lockRunDir(runDir))();
  try {
    await rename(runDir, aside);
    await rename(newer, runDir).catch(async (error: unknown) => {
      await rename(aside, runDir);
      throw error;
    });
    return { aside };
  } catch (error) {
    return { why: errorMessage(error) };
  }
}

function placeOf({ workflow_run_id, workflow_run_attempt }: RunOrigin) {
  return { workflow_run_id, workflow_run_attempt };
}

/** Which earlier attempt of this very job left a run in a directory, if one did. */
async function attemptIn(runDir: string, origin: RunOrigin): Promise<number | undefined> {
  const theirs = (await readPriorRun(runDir).catch(() => undefined))?.plan?.origin ?? null;
  if (theirs === null) return undefined;
  const { workflow_run_attempt: attempt, ...place } = theirs;
  const { workflow_run_attempt: ours, ...here } = origin;
  return attempt < ours && JSON.stringify(place) === JSON.stringify(here) ? attempt : undefined;
}
