/** Exit codes of the command line; "tests failed" is never the code of a broken tool. */
export const exitCodes = {
  passed: 0,
  /** A task failed, ended in an error, could not be loaded or was not run. */
  failed: 1,
  /** Wrong usage, or something is missing on this machine. */
  setUp: 2,
  interrupted: 130,
} as const;
