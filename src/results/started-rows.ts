import { fileNames } from "./layout.ts";
import { walkResults } from "./result-tree.ts";
import type { NotRun } from "./run-summary-schema.ts";
import { rowOfDirectory } from "./unreadable-row.ts";

/**
 * Rows that began and left no result: their directories hold a log, but no `task.json`. Only for a run that has no list of its rows
 * (coder_eval's, killed by a signal): such directories are then all that is known of what was running.
 * @param hasResult whether a directory, relative to the run directory, holds a `task.json`, readable or not
 */
export function startedRows(runDir: string, hasResult: (dir: string) => boolean): NotRun[] {
  const dirs = new Set<string>();
  for (const log of [fileNames.taskLog, fileNames.dockerLog]) {
    for (const entry of walkResults(runDir, log)) {
      if (entry.kind !== "file" || !entry.regular) continue;
      const dir = entry.path.slice(0, -log.length - 1);
      if (dir.includes("/") && !hasResult(dir)) dirs.add(dir);
    }
  }
  return [...dirs].sort().map((dir) => {
    const { variantId, taskId, replicateIndex } = rowOfDirectory(dir);
    return { task_id: taskId, variant_id: variantId, replicate_index: replicateIndex, reason: "it began and left no result" };
  });
}
