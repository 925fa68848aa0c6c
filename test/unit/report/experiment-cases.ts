import type { OverviewFacts } from "../../../src/report/overview.ts";
import { experimentRun } from "./experiment-runs.ts";
import { factsOf } from "./overview-builders.ts";

const names = ["baseline", "terse", "with-examples", "<b>bold</b> | @octocat", "__proto__"];

/** Runs of experiments whose pages are kept as they were reviewed. */
export function experimentCases(): { readonly name: string; readonly facts: OverviewFacts }[] {
  const two = { tasks: 8, variants: ["baseline", "candidate"], replicates: 3 };
  const before = experimentRun({ ...two, replicates: 1 }).task_results.map((row) => ({ ...row, status: "SUCCESS" as const }));
  return [
    {
      name: "variants",
      facts: factsOf(experimentRun(two), { before, rerunFlags: ["-e experiments/prompt-styles.yaml", "--driver docker"] }),
    },
    { name: "variants-many", facts: factsOf(experimentRun({ tasks: 40, variants: names, replicates: 2 })) },
    { name: "replicates", facts: factsOf(experimentRun({ tasks: 8, variants: ["default"], replicates: 5 })) },
  ];
}
