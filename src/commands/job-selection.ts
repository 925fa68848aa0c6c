import { seedsOf } from "../github/seeds.ts";
import type { SelectionInputs } from "../github/selection-inputs.ts";
import { inputNames } from "../plan/overrides/parse-overrides.ts";
import { shellWord } from "../plan/overrides/shell-word.ts";
import type { PlanSelection } from "../plan/plan-options.ts";
import type { Confirmation } from "./confirm-run.ts";
import type { JobContext } from "./job-context.ts";

type Job = Pick<JobContext, "environment" | "event" | "inputs" | "env">;

/** What is to run, out of the inputs of the action; seeds come from the event. */
export function jobSelection({ environment, event, inputs, env }: Job): PlanSelection {
  const { selection } = inputs;
  const { sample, samplePerStratum, sampleSeed, maxTasks, onMaxTasks } = selection;
  const seeds = seedsOf(event, environment);
  return {
    patterns: inputs.tasks,
    cwd: inputs.workingDirectory,
    env,
    tags: inputs.tags,
    excludeTags: inputs.excludeTags,
    includeSkipped: inputs.includeSkipped,
    experiment: selection.experiment,
    variants: selection.variants,
    overrides: selection.overrides,
    flagNames: inputNames,
    sampling: { sample, samplePerStratum, sampleSeed, runSeed: seeds.run },
    cap: maxTasks === undefined ? undefined : { maxTasks, onMore: onMaxTasks, seed: sampleSeed ?? seeds.cap },
  };
}

/** Only a person who starts a run by hand can be asked; what a schedule or a pull request starts was decided before. */
export function jobConfirmation({ environment, inputs }: Pick<Job, "environment" | "inputs">): Confirmation | undefined {
  const { confirmAbove: above, confirmed: given } = inputs.selection;
  if (above === undefined || environment.eventName !== "workflow_dispatch") return undefined;
  return {
    above,
    given,
    remedy: 'start the workflow again with what it hands to the input "confirmed" set to true, or choose fewer tasks',
  };
}

/** The flags of the command line that mean what the inputs do, for one task of the run. */
export function rerunFlagsOf({ experiment, variants, overrides }: SelectionInputs): string[] {
  const flag = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`${name} ${shellWord(String(value))}`];
  return [
    ...flag("-e", experiment),
    ...(variants.length === 0 ? [] : flag("--variant", variants.join(","))),
    ...overrides.set.flatMap((entry) => flag("-D", entry)),
    ...flag("--type", overrides.type),
    ...flag("--model", overrides.model),
    ...flag("--driver", overrides.driver),
    ...flag("--image", overrides.image),
    ...flag("--repeats", overrides.repeats),
  ];
}
