import type { FinalStatus } from "../results/final-status.ts";

/** One finished row as a display shows it. Text in it is foreign until `displayText` cleaned it. */
export interface FinishedRow {
  readonly key: string;
  readonly status: FinalStatus;
  readonly score: number | null;
  readonly seconds: number;
  /** The first thing that went wrong, in a few words. */
  readonly reason: string | undefined;
}

/** Shows a run while it happens. One implementation is chosen once; none of them may throw. */
export interface Progress {
  started(total: number, concurrency: number): void;
  taskStarted(key: string): void;
  stage(key: string, stage: string): void;
  finished(row: FinishedRow): void;
  notRun(key: string, reason: string): void;
  /** A line of a task's own output (verbose). */
  output(key: string, text: string): void;
  notice(message: string): void;
  warning(message: string): void;
  /** Ends the display; afterwards ordinary lines may be written. */
  close(): void;
}

/** Where a display writes: width and TTY are arguments, never asked from the process. */
export interface Screen {
  write(text: string): void;
  readonly columns: number;
  readonly colour: boolean;
}
