import { InputError, type Issue } from "../errors.ts";
import { type CapFacts, capTasks } from "./cap.ts";
import { planProblems } from "./checks/whole-plan.ts";
import type { DatasetFacts } from "./dataset/expand-dataset.ts";
import { duplicateProblems } from "./duplicates.ts";
import { chooseVariants } from "./experiment/choose-variants.ts";
import { builtInExperiment } from "./experiment/default-experiment.ts";
import { loadExperiment } from "./experiment/load-experiment.ts";
import { promptWords } from "./experiment/prompt-words.ts";
import { giveWay } from "./give-way.ts";
import { issueAt } from "./issues.ts";
import { type LoadedTask, type LoadProblem, loadTask } from "./load.ts";
import { noTasks } from "./no-tasks.ts";
import { locateOverrides } from "./overrides/override-paths.ts";
import { parseOverrides } from "./overrides/parse-overrides.ts";
import { findTaskFiles, type TaskFile } from "./patterns.ts";
import type { PlanSelection } from "./plan-options.ts";
import { PromptBudget } from "./prompt-budget.ts";
import { type ResolveContext, resolveFile } from "./resolve-file.ts";
import type { ResolvedTask } from "./resolved-task.ts";
import { filterByTags, unknownTags } from "./select.ts";
import { refusalReason, skipReason } from "./skip-reason.ts";
import type { SourceText } from "./yaml/source-text.ts";
import type { ParsedYaml } from "./yaml/yaml.ts";

export interface PlanOptions extends PlanSelection {
  readonly allowEmpty: boolean;
  /** What becomes of tasks that use what is not executed yet. */
  readonly unsupported: ResolveContext["unsupported"];
  readonly signal?: AbortSignal | undefined;
}

/** A file that was asked for and does not run: a row of `skipped_tasks` (formats.md 3.5). */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
  /** `skip`: the task says so; `invalid`: it cannot run, and the verdict has to tell. */
  readonly kind: "skip" | "invalid";
}

/** The experiment of a run, as its records name it. */
export interface ExperimentFacts {
  readonly experimentId: string;
  readonly description: string;
  /** Null for the built-in one: nobody asked for an experiment. */
  readonly file: string | null;
  /** Those that run, in the file's order. */
  readonly variants: readonly { readonly variantId: string; readonly description: string; readonly prompt: string }[];
}

export interface Plan {
  /** All first replicates before the second ones; files by name, then variants, then rows of a dataset (formats.md 3.5). */
  readonly tasks: readonly ResolvedTask[];
  readonly skipped: readonly SkippedFile[];
  /** Errors of files that cannot run, and warnings. */
  readonly issues: readonly Issue[];
  /** Rows of `skipped` that are there because of an error: the exit code has to tell. */
  readonly loadFailures: number;
  readonly experiment: ExperimentFacts;
  /** One per dataset task that runs. */
  readonly datasets: readonly DatasetFacts[];
  readonly cap: CapFacts | undefined;
  /** A line of a file that `issues` names, for messages. */
  readonly lineOf: (file: string, line: number) => string | undefined;
}

/** Files read at a time: enough to hide the disk's latency, too few to run out of file handles. */
const readAhead = 16;

/**
 * From patterns to resolved tasks. A file that is wrong becomes a row of `skipped` with its issues, and the others go on.
 * @throws InputError when a pattern matches nothing, the experiment or an override is wrong, two tasks cannot be told
 * apart, there are more than `cap` allows, and when there is no task at all (unless `allowEmpty`)
 * @throws InterruptedError when `signal` is aborted
 */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const given = parseOverrides(options.overrides, options.flagNames);
  const { overrides, warnings } = await locateOverrides(given, options, options.flagNames);
  const experiment =
    options.experiment === undefined ? builtInExperiment : await loadExperiment(options.experiment, { cwd: options.cwd, env: options.env });
  const variants = chooseVariants(experiment, options.variants);
  const files = await findTaskFiles(options.patterns, { cwd: options.cwd, home: options.env.HOME ?? options.env.USERPROFILE });
  const { env, sampling, unsupported } = options;
  const draft = new PlanDraft(options, {
    experiment,
    variants,
    overrides,
    sampling,
    env,
    unsupported,
    prompts: new PromptBudget(),
    signal: options.signal,
  });
  draft.issues.push(...warnings);
  for (let from = 0; from < files.length; from += readAhead) {
    const loaded = await Promise.all(files.slice(from, from + readAhead).map((file) => loadTask(file, env)));
    for (const result of loaded) {
      await giveWay(options.signal);
      if (result.kind === "no task") draft.issues.push(result.notice);
      else if (result.kind === "problem") draft.fail(result);
      else await draft.add(result);
    }
  }
  return draft.finish(files.length);
}

class PlanDraft {
  readonly issues: Issue[];
  readonly #options: PlanOptions;
  readonly #context: ResolveContext;
  readonly #tasks: ResolvedTask[] = [];
  readonly #skipped: SkippedFile[] = [];
  readonly #datasets: DatasetFacts[] = [];
  readonly #sources = new Map<string, SourceText>();
  /** The files that run. */
  readonly #parsed = new Map<string, ParsedYaml>();
  readonly #toldElsewhere = new Set<string>();
  readonly #seenTags = new Set<string>();
  #loadFailures = 0;

  constructor(options: PlanOptions, context: ResolveContext) {
    this.#options = options;
    this.#context = context;
    const { file, parsed, warnings } = context.experiment;
    this.issues = [...warnings];
    if (file !== null && parsed !== undefined) this.#sources.set(file, parsed.source);
  }

  fail(problem: LoadProblem): void {
    this.#refuse(problem.file, problem.type, problem.issues, problem.source);
  }

  #refuse(file: TaskFile, errorType: string, issues: readonly Issue[], source: SourceText | undefined): void {
    this.#skipped.push({ path: file.name, reason: refusalReason(errorType, issues, file.name), kind: "invalid" });
    this.#loadFailures += 1;
    this.#note(file, issues, source);
  }

  #note(file: TaskFile, issues: readonly Issue[], source: SourceText | undefined): void {
    const isNew = ({ file: place, ...issue }: Issue): boolean => {
      if (place === file.name || place === undefined) return true;
      // What is wrong in the experiment is wrong for many tasks.
      const key = JSON.stringify(issue);
      return !this.#toldElsewhere.has(key) && this.#toldElsewhere.add(key) !== undefined;
    };
    this.issues.push(...issues.filter(isNew));
    if (issues.length > 0 && source !== undefined) this.#sources.set(file.name, source);
  }

  /** Decides in the order of formats.md 3.5: `skip`, then tags, then rows, layers and what is not executed yet. */
  async add(loaded: LoadedTask): Promise<void> {
    const { definition, file, parsed } = loaded;
    for (const tag of definition.tags) this.#seenTags.add(tag);
    if (definition.skip && !this.#options.includeSkipped) {
      this.#skipped.push({ path: file.name, reason: skipReason(definition.task_id), kind: "skip" });
      return;
    }
    if (filterByTags([definition], this.#options.tags, this.#options.excludeTags).length === 0) return;
    const resolved = await resolveFile(loaded, this.#context);
    if (resolved.kind === "refused") {
      this.#refuse(file, resolved.errorType, resolved.issues, parsed.source);
      return;
    }
    this.#note(file, resolved.warnings, parsed.source);
    this.#parsed.set(file.name, parsed);
    for (const task of resolved.tasks) this.#tasks.push(task);
    if (resolved.dataset !== undefined) this.#datasets.push(resolved.dataset);
  }

  finish(fileCount: number): Plan {
    this.#refuseDuplicates();
    const { tasks, facts } = capTasks(
      this.#tasks.toSorted((a, b) => a.replicateIndex - b.replicateIndex),
      this.#options.cap,
    );
    const sources = this.#sources;
    const plan: Plan = {
      tasks,
      skipped: this.#skipped,
      issues: [...this.issues, ...this.#unknownTags(tasks.length === 0), ...planProblems(tasks)],
      loadFailures: this.#loadFailures,
      experiment: factsOf(this.#context),
      datasets: this.#datasets,
      cap: facts,
      lineOf: (file, line) => sources.get(file)?.lineAt(line),
    };
    // Files that could not be loaded are a result of their own, with exit code 1; here there is nothing at all to say.
    if (plan.tasks.length === 0 && plan.loadFailures === 0 && !this.#options.allowEmpty) {
      const left = { files: fileCount, skipped: this.#skipped.length, seenTags: this.#seenTags };
      throw new InputError([noTasks({ ...this.#options, ...left }), ...this.issues], { lineOf: plan.lineOf });
    }
    return plan;
  }

  /** Who allows that nothing is left needs to hear of a tag without tasks only if it is a typing mistake. */
  #unknownTags(isEmpty: boolean): Issue[] {
    const { tags, excludeTags } = this.#options;
    return unknownTags(this.#seenTags, tags, excludeTags).filter(({ hint }) => !isEmpty || hint !== undefined);
  }

  /** @throws InputError */
  #refuseDuplicates(): void {
    const first = this.#context.variants[0]?.variantId;
    const issues = duplicateProblems(this.#tasks.filter(({ variantId }) => variantId === first)).flatMap(({ file, problem }) => {
      const parsed = this.#parsed.get(file);
      return parsed === undefined ? [] : [issueAt(parsed, problem)];
    });
    const lineOf = (file: string, line: number) => this.#parsed.get(file)?.source.lineAt(line);
    if (issues.length > 0) throw new InputError(issues, { lineOf });
  }
}

function factsOf({ experiment, variants }: ResolveContext): ExperimentFacts {
  return {
    experimentId: experiment.experimentId,
    description: experiment.description,
    file: experiment.file,
    variants: variants.map((variant) => ({
      variantId: variant.variantId,
      description: variant.description,
      prompt: promptWords(experiment, variant),
    })),
  };
}
