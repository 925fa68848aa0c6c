import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { storageError, writeFileAtomic } from "../atomic-file.ts";
import { parseJsonText, toJsonText } from "../json-text.ts";
import { fileNames } from "../layout.ts";
import { listOf, numberOr, textOrNull } from "../tolerant.ts";
import { type EarlierAttempt, earlierAttemptSchema } from "./attempt-history.ts";
import { attemptNumber, joinAttempts } from "./earlier-attempts.ts";
import { statOf } from "./stat-of.ts";

/** Far more than fifty attempts take. */
const maxBytes = 4 * 1024 * 1024;

const schema = z.object({ attempt: numberOr(0), started_at: textOrNull, earlier: listOf(earlierAttemptSchema) });

/** `attempts.json` of a row. */
export interface AttemptsFile {
  /** The attempt that began last. */
  readonly attempt: number;
  readonly startedAt: string | null;
  /** Attempts that ended; the last one is among them once it is known how it went. */
  readonly earlier: readonly EarlierAttempt[];
}

/** Reads the `attempts.json` of a row's directory. Never throws: undefined where there is none, or none that can be used. */
export async function readAttemptsFile(resultDir: string): Promise<AttemptsFile | undefined> {
  const path = join(resultDir, fileNames.attempts);
  try {
    const found = statOf(path);
    if (found?.isFile() !== true || found.size > maxBytes) return undefined;
    const { attempt: number, started_at, earlier } = schema.parse(parseJsonText(await readFile(path, "utf8")).value);
    const attempts = joinAttempts(earlier);
    const attempt = attemptNumber(number) ?? attempts.at(-1)?.attempt;
    return attempt === undefined ? undefined : { attempt, startedAt: started_at, earlier: attempts };
  } catch {
    return undefined;
  }
}

/**
 * Writes it, whole or not at all.
 * @throws EnvironmentError `cannot-write`, `disk-full`
 */
export async function writeAttemptsFile(resultDir: string, file: AttemptsFile): Promise<void> {
  const path = join(resultDir, fileNames.attempts);
  const found = statOf(path);
  try {
    // No file can be renamed over a directory.
    if (found?.isDirectory() === true) await rm(path, { recursive: true, force: true });
  } catch (error) {
    throw storageError(error, path);
  }
  const { attempt, startedAt, earlier } = file;
  await writeFileAtomic(path, [toJsonText({ attempt, started_at: startedAt, earlier }, 2)]);
}
