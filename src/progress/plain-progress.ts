import { score as scoreText } from "../report/number-text.ts";
import { logLines } from "../untrusted/log.ts";
import type { FinishedRow, Progress, Screen } from "./progress.ts";
import { createTally, formatSeconds } from "./tally.ts";

/** Milliseconds between two signs of life while nothing ends. */
const heartbeatMs = 60_000;

/** The lines that tell of a finished row of that name, cleaned, without line ends. `counts` is a prefix such as `[3/10] `. */
export type RenderFinished = (row: FinishedRow, name: string, counts: string) => readonly string[];

/** A finished row on one line. */
export const finishedLine: RenderFinished = (row, name, counts) => logLines(rowText(row, name), counts);

/**
 * Lines for a job log or a pipe: a heartbeat each minute, and for each finished task what `renderFinished` gives, in one
 * piece, so that nothing else comes between its lines.
 */
export function createPlainProgress(screen: Screen, monotonicMs: () => number, renderFinished: RenderFinished = finishedLine): Progress {
  const tally = createTally();
  const since = new Map<string, { readonly startedMs: number; stage: string }>();
  let lastLineMs = monotonicMs();
  let heartbeat: NodeJS.Timeout | undefined;
  let nameOf = (key: string): string => key;

  const write = (lines: readonly string[]): void => {
    lastLineMs = monotonicMs();
    if (lines.length > 0) screen.write(`${lines.join("\n")}\n`);
  };
  const line = (prefix: string, text: string): void => write(logLines(text, prefix));
  const beat = (): void => {
    if (monotonicMs() - lastLineMs < heartbeatMs / 2) return;
    const { done, total } = tally.now();
    const oldest = [...since]
      .slice(0, 4)
      .map(([key, task]) => `${nameOf(key)} (${task.stage}, ${formatSeconds((monotonicMs() - task.startedMs) / 1000)})`);
    line(`[${done}/${total}] `, `${since.size} running: ${oldest.join(", ")}${since.size > 4 ? ", …" : ""}`);
  };

  return {
    started(total, concurrency, names) {
      nameOf = names;
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
      write(renderFinished(row, nameOf(row.key), `[${done}/${total}] `));
    },
    notRun(key, reason) {
      tally.notRun(since.delete(key));
      const { done, total } = tally.now();
      line(`[${done}/${total}] `, `not run    ${nameOf(key)}  ${reason}`);
    },
    output(key, source, text) {
      line(`${nameOf(key)} ${source} | `, text);
    },
    notice: (message) => line("note: ", message),
    warning: (message) => line("warning: ", message),
    finding: (text) => line("| ", text),
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
export function rowText(row: FinishedRow, name: string): string {
  return `${row.status.padEnd(9)} ${rowRest(row, name)}`;
}

/** The row's line after its status: score, name, time and the first thing that went wrong. */
export function rowRest(row: FinishedRow, name: string): string {
  const score = row.score === null ? "  –  " : scoreText(row.score);
  const reason = row.reason === undefined ? "" : `  ${row.reason.replace(/\s+/g, " ").slice(0, 160)}`;
  return `${score}  ${name}  ${formatSeconds(row.seconds)}${reason}`;
}
