import assert from "node:assert/strict";
import { join } from "node:path";
import { builtInExperiment } from "../../../../src/plan/experiment/default-experiment.ts";
import { loadExperiment } from "../../../../src/plan/experiment/load-experiment.ts";
import { applyLayers, type Layered } from "../../../../src/plan/layers/layers.ts";
import { loadTask } from "../../../../src/plan/load.ts";
import type { OverrideFlags } from "../../../../src/plan/overrides/overrides.ts";
import { parseOverrides } from "../../../../src/plan/overrides/parse-overrides.ts";
import { taskFolder } from "../task-folder.ts";

export interface Setup {
  /** Further fields of the task, as YAML. */
  readonly task?: string;
  /** An experiment file without its id; none: the built-in one. */
  readonly experiment?: string;
  /** The first one unless named. */
  readonly variant?: string;
  readonly flags?: Partial<OverrideFlags>;
  readonly files?: Readonly<Record<string, string>>;
}

interface InFolder {
  /** Where the files were. */
  readonly folder: string;
}

const taskHead = "task_id: t\ndescription: d\ninitial_prompt: p\nsuccess_criteria: [{type: file_exists, description: e, path: p}]\n";

/** The layers of a task `t.yaml` and an experiment `e.yaml` in a folder of their own, laid on each other. */
export async function layer({ task = "", experiment: text, variant: id, flags = {}, files = {} }: Setup): Promise<Layered & InFolder> {
  const experimentFile = text === undefined ? {} : { "e.yaml": `experiment_id: e\n${text}` };
  await using folder = await taskFolder({ ...files, ...experimentFile, "t.yaml": `${taskHead}${task}` });
  const experiment = text === undefined ? builtInExperiment : await loadExperiment("e.yaml", { cwd: folder.path, env: {} });
  const loaded = await loadTask({ path: join(folder.path, "t.yaml"), name: "t.yaml", explicit: true }, {});
  assert.ok(loaded.kind === "loaded", JSON.stringify(loaded));
  const variant = experiment.variants.find(({ variantId }) => id === undefined || variantId === id);
  assert.ok(variant);
  return { ...applyLayers({ loaded, experiment, variant, overrides: parseOverrides({ set: [], ...flags }) }), folder: folder.path };
}

export async function resolved(setup: Setup) {
  const result = await layer(setup);
  assert.ok(result.kind === "resolved", JSON.stringify(result));
  return result;
}

/** `file:line:column field: message [hint]` of everything that is wrong. */
export async function problems(setup: Setup): Promise<string[]> {
  const result = await layer(setup);
  assert.ok(result.kind === "problem", "nothing is wrong");
  return result.issues.map(({ file, line, column, field, message, hint, mergedWith }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    const merged = mergedWith === undefined ? "" : ` (merged with '${mergedWith}')`;
    return `${place} ${field}: ${message}${merged}${hint === undefined ? "" : ` [${hint}]`}`;
  });
}
