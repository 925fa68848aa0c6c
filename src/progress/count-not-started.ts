import { plural } from "../report/number-text.ts";
import type { Progress } from "./progress.ts";

/** A run that is stopped can have a hundred thousand rows that never began: they are counted at its end, and not listed. */
export function countNotStarted(progress: Progress): Progress {
  const running = new Set<string>();
  const notStarted = new Map<string, number>();
  return {
    ...progress,
    taskStarted(key) {
      running.add(key);
      progress.taskStarted(key);
    },
    finished(row) {
      running.delete(row.key);
      progress.finished(row);
    },
    notRun(key, reason) {
      if (running.delete(key)) progress.notRun(key, reason);
      else notStarted.set(reason, (notStarted.get(reason) ?? 0) + 1);
    },
    close() {
      for (const [reason, count] of notStarted) progress.notice(`${plural(count, "task was", "tasks were")} not started: ${reason}`);
      notStarted.clear();
      progress.close();
    },
  };
}
