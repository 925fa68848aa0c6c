import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory, storageError, systemCode } from "../atomic-file.ts";
import { fileNames } from "../layout.ts";
import type { AttemptHistory } from "./attempt-history.ts";
import { readAttemptsFile, writeAttemptsFile } from "./attempts-file.ts";
import { attemptsSoFar, joinSources } from "./attempts-so-far.ts";
import { statOf } from "./stat-of.ts";

/**
 * Begins an attempt of a row: tells what came before, from `attempts.json` and `task.json` of its directory, records in `attempts.json` that
 * it began, and clears what the attempt before left, as `clearAttempt` does. The directory is made if need be. Numbers never go down; where
 * one of the two files cannot be read, the history goes on with what the other one knows.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function beginAttempt(resultDir: string, startedAt: Date): Promise<AttemptHistory> {
  await makeDirectory(resultDir);
  const { last, earlier } = await attemptsSoFar(resultDir);
  const attempt = last + 1;
  // Before anything is cleared: a kill in between must not cost the history.
  await writeAttemptsFile(resultDir, { attempt, startedAt: startedAt.toISOString(), earlier });
  await clearAttempt(resultDir);
  return { attempt, earlier };
}

/**
 * Takes away a result that must not count any more, since settings or files of its row have changed, before it is known whether the row will
 * ever run again. The history keeps it, and all before it, as superseded.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function retireAttempt(resultDir: string): Promise<void> {
  const { last, startedAt, earlier } = await attemptsSoFar(resultDir);
  const superseded = earlier.map((entry) => ({ ...entry, superseded: true }));
  if (last > 0) await writeAttemptsFile(resultDir, { attempt: last, startedAt, earlier: superseded });
  await clearAttempt(resultDir);
}

/**
 * Notes in the history that the result of the last attempt, which was set aside, could not be read.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function noteUnreadable(resultDir: string, reason: string): Promise<void> {
  const { last, startedAt, earlier } = joinSources(await readAttemptsFile(resultDir), { kind: "unreadable", reason });
  await writeAttemptsFile(resultDir, { attempt: last, startedAt, earlier });
}

/**
 * What an attempt left goes out of the way of the next: its `task.json` becomes `task.json.previous`, its `artifacts` and what its agent
 * said go, so that nothing stale can be taken for the new attempt's, which may end before its agent says a word. Logs stay.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
async function clearAttempt(resultDir: string): Promise<void> {
  const task = join(resultDir, fileNames.task);
  const previous = join(resultDir, fileNames.previousTask);
  try {
    if (statOf(task) !== undefined) {
      // A directory of that name could not be replaced.
      await rm(previous, { recursive: true, force: true });
      await rename(task, previous).catch((error: unknown) => {
        if (systemCode(error) !== "ENOENT") throw error;
      });
    }
    for (const name of [fileNames.artifacts, fileNames.conversation, fileNames.agentStream]) {
      await rm(join(resultDir, name), { recursive: true, force: true, maxRetries: 3 });
    }
  } catch (error) {
    throw storageError(error, resultDir);
  }
}
