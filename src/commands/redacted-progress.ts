import type { Progress } from "../progress/progress.ts";
import type { Redactor } from "../untrusted/redact.ts";

/**
 * The same display without secrets in what is said beside the results: an engine, git or a line of a task file may name
 * an address with a password. Rows and output come redacted already.
 */
export function redactedProgress(progress: Progress, redactor: Redactor): Progress {
  const clean = (text: string): string => redactor.redact(text).text;
  return {
    started: (total, concurrency, nameOf) => progress.started(total, concurrency, nameOf),
    taskStarted: (key) => progress.taskStarted(key),
    stage: (key, stage) => progress.stage(key, stage),
    finished: (row) => progress.finished(row),
    notRun: (key, reason) => progress.notRun(key, clean(reason)),
    output: (key, source, text) => progress.output(key, source, text),
    notice: (message) => progress.notice(clean(message)),
    warning: (message) => progress.warning(clean(message)),
    finding: (text) => progress.finding(clean(text)),
    close: () => progress.close(),
  };
}
