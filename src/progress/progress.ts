import type { FinalStatus } from "../results/final-status.ts";

/** What a criterion found. `skipped`: it was not evaluated; `noted`: it is below its threshold, which does not count. */
export interface CriterionOutcome {
  readonly outcome: "passed" | "missed" | "skipped" | "noted";
  readonly type: string;
  readonly description: string;
  readonly score: number;
  readonly threshold: number;
  /** Its error, else what it found; may be long. */
  readonly message: string | undefined;
}

/** What tells why a row ended as it did. Foreign texts of any length, secrets already hidden. */
export interface RowDetails {
  readonly criteria: readonly CriterionOutcome[];
  readonly error: string | undefined;
  /** What the agent said last. */
  readonly agentOutput: string | undefined;
  readonly logTail: string | undefined;
}

/** One finished row as a display shows it. Text in it is foreign until `displayText` cleaned it. */
export interface FinishedRow {
  readonly key: string;
  readonly status: FinalStatus;
  readonly score: number | null;
  readonly seconds: number;
  /** The first thing that went wrong, in a few words. */
  readonly reason: string | undefined;
  /** For displays that have the room. */
  readonly details?: RowDetails | undefined;
}

/** Shows a run while it happens. One implementation is chosen once; none of them may throw. */
export interface Progress {
  /** @param nameOf how a row is called, by its key: as in the reports of the run (`report/row-names.ts`). Foreign text */
  started(total: number, concurrency: number, nameOf: (key: string) => string): void;
  taskStarted(key: string): void;
  stage(key: string, stage: string): void;
  finished(row: FinishedRow): void;
  notRun(key: string, reason: string): void;
  /** Lines of a task's own output (verbose), and of what they are: `stdout`. */
  output(key: string, source: string, text: string): void;
  notice(message: string): void;
  warning(message: string): void;
  /** A finding about a file, which says itself how grave it is; several lines. */
  finding(text: string): void;
  /** Ends the display; afterwards ordinary lines may be written. */
  close(): void;
}

/** Where a display writes: width and TTY are arguments, never asked from the process. */
export interface Screen {
  write(text: string): void;
  readonly columns: number;
  readonly colour: boolean;
}
