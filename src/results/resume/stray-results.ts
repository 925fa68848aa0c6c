import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileNames } from "../layout.ts";
import { readTaskResult } from "../read-task-result.ts";
import { walkResults } from "../result-tree.ts";
import type { EvaluationResult } from "../task-result.ts";
import type { AttemptFacts } from "./merge-attempts.ts";
import type { SetAside } from "./resume-facts.ts";
import { dirOfResult, keyOfResult } from "./row-place.ts";

/** A result, without its content. */
export interface Located extends AttemptFacts {
  /** Relative to the run directory. */
  readonly path: string;
}

export interface StrayResults {
  /** Readable results of planned rows that lie elsewhere than planned. */
  readonly byKey: ReadonlyMap<string, readonly Located[]>;
  readonly listed: readonly SetAside[];
  readonly warnings: readonly string[];
}

export interface StrayOptions {
  /** Of the planned rows. */
  readonly resultDirs: ReadonlySet<string>;
  /** Stands in the way of a row, and is told of elsewhere. */
  readonly isInTheWay: (path: string) => boolean;
  readonly isPlanned: (key: string) => boolean;
  readonly onTurn: () => void;
}

const filesPerTurn = 64;

/** What lies in a run directory beside the places of the planned rows. Nothing is touched. */
export async function strayResults(runDir: string, options: StrayOptions): Promise<StrayResults> {
  const byKey = new Map<string, Located[]>();
  const listed: SetAside[] = [];
  const warnings: string[] = [];
  const list = (path: string, reason: string) => void listed.push({ path, reason, moved_to: null });
  let count = 0;
  for (const entry of walkResults(runDir, fileNames.task)) {
    count += 1;
    // Reading is synchronous; timers and signals get their turn now and then.
    if (count % filesPerTurn === 0) await setImmediate();
    options.onTurn();
    if (options.isInTheWay(entry.path)) continue;
    if (entry.kind === "nested run") warnings.push(`${entry.path} is a run of its own and was left out`);
    else if (entry.kind === "unreadable") list(entry.path, entry.reason);
    else if (!options.resultDirs.has(dirOfResult(entry.path))) take(entry.path, entry.regular);
  }
  return { byKey, listed, warnings };

  function take(path: string, regular: boolean): void {
    const read = regular ? readTaskResult(join(runDir, path)) : ({ kind: "unreadable", reason: "not a regular file" } as const);
    const located = read.kind === "result" ? locate(path, read.result) : undefined;
    if (located === undefined || !options.isPlanned(located.key)) {
      list(path, read.kind === "unreadable" ? unreadableStranger(read.reason) : notPlanned);
      return;
    }
    const others = byKey.get(located.key) ?? [];
    byKey.set(located.key, [...others, located]);
  }
}

/** Reason of what a plan does not have. */
export const notPlanned = "not part of the plan";

/** Reason of what is at no place of the plan, and cannot be read. */
export const unreadableStranger = (reason: string): string => `${notPlanned}, and it cannot be read: ${reason}`;

/** Whether a file was only left out of account, since it belongs to no row of the plan. */
export const isUnplanned = ({ reason, moved_to }: SetAside): boolean => moved_to === null && reason.startsWith(notPlanned);

/** Reason of one of several results of a row. */
export const sameRow = (chosen: string): string => `the same row stands in ${chosen}`;

/** A result at a path, as `mergeAttempts` compares it. Of equal ones that counts which lies where its content says. */
export function locate(path: string, result: EvaluationResult): Located {
  const inPlace = path.startsWith(`${result.variant_id}/${result.task_id}/`);
  return {
    path,
    key: keyOfResult(path, result),
    attempt: result.evalbatch?.attempt ?? 1,
    completedAt: result.completed_at,
    startedAt: result.started_at,
    valid: true,
    tieBreak: `${inPlace ? 0 : 1}${path}`,
  };
}
