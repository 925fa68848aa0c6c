import { logLines } from "../untrusted/log.ts";
import type { FinishedRow, Progress, Screen } from "./progress.ts";
import { createTally, formatSeconds } from "./tally.ts";

/** Milliseconds between two signs of life while nothing ends. */
const heartbeatMs = 60_000;

/** Lines for a job log or a pipe: one per finished task, a heartbeat each minute. */
export function createPlainProgress(screen: Screen, monotonicMs: () => number): Progress {
  const tally = createTally();
  const since = new Map<string, { readonly startedMs: number; stage: string }>();
  let lastLineMs = monotonicMs();
  let heartbeat: NodeJS.Timeout | undefined;

  const line = (prefix: string, text: string): void => {
    lastLineMs = monotonicMs();
    for (const clean of logLines(text, prefix)) screen.write(`${clean}\n`);
  };
  const beat = (): void => {
    if (monotonicMs() - lastLineMs < heartbeatMs / 2) return;
    const { done, total } = tally.now();
    const oldest = [...since]
      .slice(0, 4)
      .map(([key, task]) => `${key} (${task.stage}, ${formatSeconds((monotonicMs() - task.startedMs) / 1000)})`);
    line(`[${done}/${total}] `, `${since.size} running: ${oldest.join(", ")}${since.size > 4 ? ", …" : ""}`);
  };

  return {
    started(total, concurrency) {
      tally.begin(total);
      line("running ", startText(total, concurrency));
      heartbeat = setInterval(beat, heartbeatMs);
      heartbeat.unref();
    },
    taskStarted(key) {
      tally.started();
      since.set(key, { startedMs: monotonicMs(), stage: "start" });
    },
    stage(key, stage) {
      const task = since.get(key);
      if (task !== undefined) task.stage = stage;
    },
    finished(row) {
      since.delete(row.key);
      tally.finished(row);
      const { done, total } = tally.now();
      line(`[${done}/${total}] `, rowText(row));
    },
    notRun(key, reason) {
      tally.notRun(since.delete(key));
      const { done, total } = tally.now();
      line(`[${done}/${total}] `, `not run    ${key}  ${reason}`);
    },
    output(key, text) {
      line(`${key} | `, text);
    },
    notice: (message) => line("note: ", message),
    warning: (message) => line("warning: ", message),
    close() {
      clearInterval(heartbeat);
    },
  };
}

/** What a run is about to do, after the word "running". */
export function startText(total: number, concurrency: number): string {
  return `${total} ${total === 1 ? "task" : "tasks"}, at most ${concurrency} at a time`;
}

/** One finished row on one line, status first so that a column of them can be scanned. */
export function rowText(row: FinishedRow): string {
  return `${row.status.padEnd(9)} ${rowRest(row)}`;
}

/** The row's line after its status: score, key, time and the first thing that went wrong. */
export function rowRest(row: FinishedRow): string {
  const score = row.score === null ? "  –  " : row.score.toFixed(3);
  const reason = row.reason === undefined ? "" : `  ${row.reason.replace(/\s+/g, " ").slice(0, 160)}`;
  return `${score}  ${row.key}  ${formatSeconds(row.seconds)}${reason}`;
}
