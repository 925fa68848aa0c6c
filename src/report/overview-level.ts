/** How much a rendering of the overview shows. What is left out is counted. */
export interface Level {
  /** Failures that stand open, with their criteria. */
  readonly open: number;
  /** The next ones: a line each, their criteria folded. */
  readonly folded: number;
  /** The next ones: the same, all of them within one more fold. */
  readonly deep: number;
  /** The next ones: a line each, within the same fold. */
  readonly listed: number;
  /** Of the reason in a line; 0 for none. */
  readonly reasonChars: number;
  /** Failures that show the end of their log, and how much of it. */
  readonly logs: number;
  readonly logBytes: number;
  /** Names or entries in each of the other lists. */
  readonly names: number;
  /** Names in the fold of what passed; without it at 0. */
  readonly passed: number;
  /** Differences between results in their table. */
  readonly drift: number;
  /** Of a cell of it. */
  readonly cellChars: number;
}

/** For the job summary: 1 MB, of which a run of some hundred failing tasks needs the half. */
export const summaryLevels: readonly Level[] = [
  {
    open: 20,
    folded: 30,
    deep: 150,
    listed: 5000,
    reasonChars: 300,
    logs: 200,
    logBytes: 2000,
    names: 100,
    passed: 500,
    drift: 40,
    cellChars: 120,
  },
  {
    open: 20,
    folded: 30,
    deep: 50,
    listed: 5000,
    reasonChars: 200,
    logs: 50,
    logBytes: 1000,
    names: 100,
    passed: 200,
    drift: 40,
    cellChars: 100,
  },
  {
    open: 10,
    folded: 10,
    deep: 0,
    listed: 5000,
    reasonChars: 100,
    logs: 10,
    logBytes: 500,
    names: 50,
    passed: 0,
    drift: 20,
    cellChars: 60,
  },
  { open: 5, folded: 15, deep: 0, listed: 5000, reasonChars: 0, logs: 0, logBytes: 0, names: 20, passed: 0, drift: 10, cellChars: 40 },
  { open: 0, folded: 0, deep: 0, listed: 20, reasonChars: 100, logs: 0, logBytes: 0, names: 5, passed: 0, drift: 5, cellChars: 40 },
];

/** For the comment: 60,000 characters, a fifth of which may be the memory of the run. */
export const commentLevels: readonly Level[] = [
  {
    open: 5,
    folded: 15,
    deep: 0,
    listed: 80,
    reasonChars: 200,
    logs: 20,
    logBytes: 1500,
    names: 10,
    passed: 100,
    drift: 12,
    cellChars: 60,
  },
  { open: 5, folded: 15, deep: 0, listed: 40, reasonChars: 150, logs: 10, logBytes: 800, names: 10, passed: 40, drift: 12, cellChars: 60 },
  { open: 5, folded: 5, deep: 0, listed: 20, reasonChars: 100, logs: 3, logBytes: 500, names: 5, passed: 0, drift: 8, cellChars: 40 },
  { open: 0, folded: 0, deep: 0, listed: 20, reasonChars: 80, logs: 0, logBytes: 0, names: 3, passed: 0, drift: 5, cellChars: 40 },
  { open: 0, folded: 0, deep: 0, listed: 5, reasonChars: 0, logs: 0, logBytes: 0, names: 1, passed: 0, drift: 0, cellChars: 30 },
];
