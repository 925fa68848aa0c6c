import { join } from "node:path";
import { fileNames } from "../layout.ts";
import { type ReadResult, readTaskResult } from "../read-task-result.ts";
import type { EarlierAttempt } from "./attempt-history.ts";
import { readAttemptsFile } from "./attempts-file.ts";
import { attemptNumber, joinAttempts, rememberLost, rememberResult } from "./earlier-attempts.ts";
import { statOf } from "./stat-of.ts";

/** Attempts of a row, all of which are over, whether they ended or were cut short. */
export interface AttemptsSoFar {
  /** Number of the last one; 0 where there was none. */
  readonly last: number;
  readonly startedAt: string | null;
  /** Oldest first. */
  readonly earlier: readonly EarlierAttempt[];
}

/** What `attempts.json` and `task.json` in a row's directory tell together. Never throws. */
export async function attemptsSoFar(resultDir: string): Promise<AttemptsSoFar> {
  return joinSources(await readAttemptsFile(resultDir), await readOwnResult(resultDir));
}

/** The `task.json` of a row; undefined where there is none. */
async function readOwnResult(resultDir: string): Promise<ReadResult | undefined> {
  const path = join(resultDir, fileNames.task);
  const found = statOf(path);
  if (found === undefined) return undefined;
  return found.isFile() ? readTaskResult(path) : { kind: "unreadable", reason: "not a regular file" };
}

/**
 * @param file what `attempts.json` has
 * @param own what `task.json` is
 */
export function joinSources(
  file: { readonly attempt: number; readonly startedAt: string | null; readonly earlier: readonly EarlierAttempt[] } | undefined,
  own: ReadResult | undefined,
): AttemptsSoFar {
  const result = own?.kind === "result" ? own.result : undefined;
  const known = joinAttempts(file?.earlier ?? [], result?.evalbatch?.earlier_attempts ?? []);
  const number = result === undefined ? 0 : (attemptNumber(result.evalbatch?.attempt) ?? 1);
  const ended = result === undefined ? known : joinAttempts([rememberResult(result, number)], known);
  const past = Math.max(file?.attempt ?? 0, ended.at(-1)?.attempt ?? 0);
  const last = own === undefined ? past : Math.max(past, 1);
  if (last === 0 || ended.some(({ attempt }) => attempt === last)) {
    return { last, startedAt: ended.at(-1)?.started_at ?? null, earlier: ended };
  }
  const startedAt = file?.startedAt ?? null;
  const lost =
    own?.kind === "unreadable"
      ? rememberLost(last, startedAt, "ERROR", `the result could not be read: ${own.reason}`)
      : rememberLost(last, startedAt, "INTERRUPTED", "it was cut short and left no result");
  return { last, startedAt, earlier: joinAttempts(ended, [lost]) };
}

/** How often a row was started, lately, without coming to an end. */
export function startsWithoutEnd(earlier: readonly EarlierAttempt[]): number {
  const fromTheEnd = earlier.toReversed().findIndex(({ status }) => status !== "INTERRUPTED");
  return fromTheEnd === -1 ? earlier.length : fromTheEnd;
}
