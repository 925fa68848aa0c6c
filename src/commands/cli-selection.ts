import { cliFlagNames } from "../plan/overrides/parse-overrides.ts";
import type { PlanSelection } from "../plan/plan-options.ts";
import type { SelectionFlags } from "./cli-options.ts";

/** Where the command line stands. */
export interface SelectionHost {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A seed that nobody has drawn before. */
  readonly drawSeed: () => string;
}

/** The cap's seed where nobody names one: the same tasks each time, so that two runs can be compared. */
const plainSeed = "0";

/** What is to run, out of the flags of the command line. */
export function selectionOf(flags: SelectionFlags & { readonly patterns: readonly string[] }, host: SelectionHost): PlanSelection {
  const { patterns, tags, excludeTags, includeSkipped, set, type, model, driver, repeats, image } = flags;
  const { sample, samplePerStratum, sampleSeed, maxTasks, onMaxTasks } = flags;
  return {
    patterns,
    cwd: host.cwd,
    env: host.env,
    tags,
    excludeTags,
    includeSkipped,
    experiment: flags.experiment,
    variants: flags.variant,
    overrides: { set, type, model, driver, repeats, image },
    flagNames: cliFlagNames,
    sampling: { sample, samplePerStratum, sampleSeed, runSeed: host.drawSeed() },
    cap: maxTasks === undefined ? undefined : { maxTasks, onMore: onMaxTasks, seed: sampleSeed ?? plainSeed },
  };
}
