import type { Env } from "./expand-path.ts";
import type { FlagNames } from "./overrides/flag-names.ts";
import type { OverrideFlags } from "./overrides/overrides.ts";

/** How many rows of a dataset run, and which (formats.md 1.7). */
export interface Sampling {
  /** Rows per dataset at most; switches strata off. */
  readonly sample?: number | undefined;
  /** Rows per stratum at most; beats the task's own number. */
  readonly samplePerStratum?: number | undefined;
  /** Beats the task's own seed. */
  readonly sampleSeed?: string | undefined;
  /** Draws where neither the user nor the task names a seed. */
  readonly runSeed: string;
  /** By suite, what an earlier execution of the run drew. */
  readonly recorded?: ReadonlyMap<string, RecordedDraw> | undefined;
}

/**
 * A draw of an earlier execution. Where the same is asked for again, its rows run again and no others, whatever was added since: another
 * draw would pay for rows anew and orphan those that are done.
 */
export interface RecordedDraw {
  readonly mode: string;
  readonly seed: string | null;
  readonly limit: number | null;
  readonly rowIds: ReadonlySet<string>;
}

/** The tasks that a cap let through in an earlier execution of the run. */
export interface RecordedCap {
  readonly maxTasks: number;
  readonly planned: number;
  readonly seed: string;
  readonly taskIds: ReadonlySet<string>;
}

/** A bound on the number of resolved tasks. */
export interface TaskCap {
  /** At least 1. */
  readonly maxTasks: number;
  /** `sample`: run as many as fit, chosen by `seed` so that a re-run picks the same. */
  readonly onMore: "fail" | "sample";
  readonly seed: string;
  readonly recorded?: RecordedCap | undefined;
}

/** What is to run, and with which settings: the same for the command line and the action. */
export interface PlanSelection {
  readonly patterns: readonly string[];
  /** Absolute. Patterns and the experiment's path are relative to it. */
  readonly cwd: string;
  /** For variables in paths and the check of what tasks pass through. */
  readonly env: Env;
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly includeSkipped: boolean;
  /** Path of an experiment file, or a bare name for `experiments/<name>.yaml`. */
  readonly experiment?: string | undefined;
  /** Only these variants of it; empty: all. */
  readonly variants: readonly string[];
  readonly overrides: OverrideFlags;
  /** How messages name the overrides; absent: as the command line does. */
  readonly flagNames?: FlagNames | undefined;
  readonly sampling: Sampling;
  readonly cap?: TaskCap | undefined;
}
