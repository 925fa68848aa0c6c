import type { GradedCriterion } from "../../../src/criteria/grade.ts";

export type Comparable = Pick<GradedCriterion, "score" | "details" | "error">;

/** Where we mean to differ from coder_eval 0.8.2: why, and what exactly is there instead. */
export interface Difference {
  readonly why: string;
  readonly of: (golden: Comparable) => Comparable;
}

/** By task and description of the criterion. */
export type Differences = Readonly<Record<string, Difference>>;

const outside = (path: string): Difference => ({
  why: "a criterion looks at nothing outside of the sandbox (0.8.2 follows the path, 0.12 makes the task an ERROR)",
  of: () => ({ score: 0, details: null, error: `Path '${path}' leads outside the sandbox` }),
});

const replaced = (why: string, from: string | RegExp, to: string): Difference => ({
  why,
  of: (golden) => ({ ...golden, details: golden.details?.replace(from, to) ?? null }),
});

/** The same in every sandbox. */
export const commonDifferences: Differences = {
  "file-exists: leaves the sandbox": outside("../../etc/hostname"),
  "file-exists: absolute path": outside("/etc/hostname"),
  "file-exists: glob that matches": {
    why: "paths may be patterns since 0.9.6",
    of: () => ({ score: 1, details: "File 'w*.txt' exists", error: null }),
  },
  "run-command: killed by a signal": replaced(
    "an exit code is the one that a shell and a container report, 128 + signal",
    "Exit code: -9",
    "Exit code: 137",
  ),
  "run-command: too slow": replaced("what a command wrote before its time was over is shown", /$/, "\nStdout before the timeout:\nbegun\n"),
};

/** The task asks the shell of the image, and this one is busybox. */
export const busyboxDifferences: Differences = {
  "run-command: not found": replaced("the shell's own words", "/bin/sh: 1: no-such-program:", "/bin/sh: no-such-program:"),
  "run-command: shell is sh": {
    why: "busybox's shell knows [[",
    of: (golden) => ({
      ...golden,
      score: 1,
      details: golden.details?.replace("127", "0").replace("Stderr:\n/bin/sh: 1: [[: not found\n", "Stderr: (empty)") ?? null,
    }),
  },
};
