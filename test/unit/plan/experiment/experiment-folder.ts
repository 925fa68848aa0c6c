import { InputError, type Issue } from "../../../../src/errors.ts";
import { loadExperiment } from "../../../../src/plan/experiment/load-experiment.ts";
import type { LoadedExperiment } from "../../../../src/plan/experiment/loaded-experiment.ts";
import { taskFolder } from "../task-folder.ts";

type Files = Readonly<Record<string, string>>;
type Env = Readonly<Record<string, string>>;

export const head = "experiment_id: compare\n";
export const oneVariant = "variants: [{variant_id: a}]\n";

/** Loads `text` as `experiments/e.yaml`; `files` stand beside it. Paths inside the folder are given as `<folder>/…`. */
export async function loaded(text: string, files: Files = {}, env: Env = {}): Promise<LoadedExperiment> {
  const result = await load(text, files, env);
  if (result instanceof InputError) throw result;
  return result;
}

/** All issues of a text that must not load. */
export async function refused(text: string, files: Files = {}, env: Env = {}): Promise<readonly Issue[]> {
  const result = await load(text, files, env);
  if (result instanceof InputError) return result.issues;
  throw new Error("the experiment loaded");
}

/** The errors of a text as `field: message`. */
export async function errorsOf(text: string, files: Files = {}, env: Env = {}): Promise<string[]> {
  const issues = await refused(text, files, env);
  return issues.filter(({ severity }) => severity === "error").map(({ field, message }) => `${field ?? ""}: ${message}`);
}

/** What a try gives in a folder of its own: the files are only there while the experiment loads. */
async function load(text: string, files: Files, env: Env): Promise<LoadedExperiment | InputError> {
  const beside = Object.entries(files).map(([name, content]) => [`experiments/${name}`, content] as const);
  await using folder = await taskFolder({ ...Object.fromEntries(beside), "experiments/e.yaml": text });
  try {
    return await loadExperiment("e", { cwd: folder.path, env: { FOLDER: `${folder.path}/experiments`, ...env } });
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
