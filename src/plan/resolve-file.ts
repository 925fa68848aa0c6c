import type { Issue } from "../errors.ts";
import { visibleAnswers } from "./checks/visible-answers.ts";
import { foreseeableProblems } from "./checks.ts";
import { type DatasetFacts, type ExpandedRow, expandDataset } from "./dataset/expand-dataset.ts";
import type { Env } from "./expand-path.ts";
import type { LoadedExperiment, LoadedVariant } from "./experiment/loaded-experiment.ts";
import { resolvePrompt } from "./experiment/prompt.ts";
import { giveWay } from "./give-way.ts";
import { inFileOrder, issueAt, type Problem } from "./issues.ts";
import { contributionsTo } from "./layers/contributions.ts";
import type { LayerIssues } from "./layers/layer-issues.ts";
import { applyLayers, type Settings } from "./layers/layers.ts";
import type { LoadedTask } from "./load.ts";
import type { Overrides } from "./overrides/overrides.ts";
import type { Sampling } from "./plan-options.ts";
import type { PromptBudget } from "./prompt-budget.ts";
import type { Lineage, ResolvedDefinition, ResolvedTask } from "./resolved-task.ts";
import { resultDir, runKey } from "./run-key.ts";
import { resolvedRuleProblems } from "./task-rules.ts";
import { unsupportedProblems } from "./unsupported.ts";

/** What all task files of a run have in common. */
export interface ResolveContext {
  readonly experiment: LoadedExperiment;
  /** Those of the experiment that run. */
  readonly variants: readonly LoadedVariant[];
  readonly overrides: Overrides;
  readonly sampling: Sampling;
  readonly env: Env;
  /** `refuse`: a task that uses what is not executed yet does not run; `note`: it is planned with `notSupported`. */
  readonly unsupported: "refuse" | "note";
  readonly prompts: PromptBudget;
  readonly signal?: AbortSignal | undefined;
}

/** One task file as rows × variants × replicates, or why none of them can run. */
export type ResolvedFile =
  | {
      readonly kind: "resolved";
      readonly tasks: readonly ResolvedTask[];
      readonly warnings: readonly Issue[];
      readonly dataset: DatasetFacts | undefined;
    }
  | {
      readonly kind: "refused";
      /** As formats.md 3.5 names it in the reason of a skipped file. */
      readonly errorType: "ValueError" | "FileNotFoundError" | "NotSupportedError";
      readonly issues: readonly Issue[];
    };

interface Row {
  readonly definition: LoadedTask["definition"];
  readonly fill?: ExpandedRow["fill"] | undefined;
}

/** What all rows of a file have in common in one variant. */
interface Shared {
  readonly variant: LoadedVariant;
  readonly settings: Settings;
  readonly lineage: Lineage;
  readonly placed: LayerIssues;
  readonly contributions: ResolvedTask["contributions"];
}

/** Rows between two looks at what else wants to be done: a Ctrl-C among it. */
const rowsAtOnce = 500;

/** Findings about one file are many when a dataset has many rows; more than these say nothing new. */
const maxIssues = 50;

/**
 * From a loaded file to resolved tasks (formats.md 3.5, steps 3 and 5): dataset rows, layers, prompts, replicates. A
 * problem in one row or variant refuses the whole file: what is left would be another suite, or an unequal comparison.
 */
export async function resolveFile(loaded: LoadedTask, context: ResolveContext): Promise<ResolvedFile> {
  const expanded = loaded.definition.dataset === null ? undefined : await expandDataset(loaded, context.sampling, context.env);
  if (expanded?.kind === "problem") {
    const errorType = expanded.issues[0]?.code === "missing-file" ? "FileNotFoundError" : "ValueError";
    return { kind: "refused", errorType, issues: inFileOrder([...loaded.warnings, ...expanded.issues], loaded.file.name) };
  }
  const rows: readonly Row[] = expanded?.rows ?? [{ definition: loaded.definition }];
  const draft = new FileDraft({ ...loaded, warnings: [...loaded.warnings, ...(expanded?.warnings ?? [])] }, context);
  for (const variant of context.variants) await draft.addVariant(variant, rows);
  return draft.finish(expanded?.facts);
}

class FileDraft {
  readonly #loaded: LoadedTask;
  readonly #context: ResolveContext;
  readonly #tasks: ResolvedTask[] = [];
  readonly #issues = new Map<string, Issue>();
  #notSupported = false;

  constructor(loaded: LoadedTask, context: ResolveContext) {
    this.#loaded = loaded;
    this.#context = context;
  }

  async addVariant(variant: LoadedVariant, rows: readonly Row[]): Promise<void> {
    const { experiment, overrides } = this.#context;
    const input = { loaded: this.#loaded, experiment, variant, overrides };
    const layered = applyLayers(input);
    if (layered.kind === "problem") {
      for (const issue of layered.issues) this.#note(issue);
      return;
    }
    for (const problem of visibleAnswers(layered.settings, this.#loaded)) this.#note(this.#placed(problem, layered.placed));
    const shared = { ...layered, variant, contributions: (path: readonly string[]) => contributionsTo(input, path) };
    for (const [index, row] of rows.entries()) {
      if (index % rowsAtOnce === 0) await giveWay(this.#context.signal);
      this.#addRow(row, shared);
    }
  }

  #addRow(row: Row, { variant, settings: layered, lineage: layers, placed, contributions }: Shared): void {
    const { experiment } = this.#context;
    const { replicates, ...settings } = layered;
    const resolved = resolvePrompt(row.definition.initial_prompt, experiment, variant, row.fill);
    if (resolved.kind === "problem") {
      this.#note(this.#ofExperiment(resolved.problem));
      return;
    }
    for (const warning of resolved.warnings) this.#note(this.#ofExperiment(warning));
    // An unchanged prompt is one text for all variants.
    const tooMuch = resolved.entry === undefined ? undefined : this.#context.prompts.take(resolved.prompt);
    if (tooMuch !== undefined) {
      this.#note(issueAt(this.#loaded.parsed, tooMuch));
      return;
    }
    const task: ResolvedDefinition = { ...row.definition, ...settings, initial_prompt: resolved.prompt };
    const lineage = resolved.entry === undefined ? layers : { ...layers, initial_prompt: resolved.entry };
    const notSupported = this.#check(task, lineage, { variant, placed });
    for (let replicateIndex = 0; replicateIndex < replicates; replicateIndex += 1) {
      this.#tasks.push({
        key: runKey(variant.variantId, task.task_id, replicateIndex),
        taskId: task.task_id,
        variantId: variant.variantId,
        replicateIndex,
        task,
        taskFile: this.#loaded.file.name,
        taskDir: this.#loaded.folder,
        sourceYaml: this.#loaded.parsed.source.text,
        lineage,
        resultDir: resultDir(variant.variantId, task.task_id, replicateIndex),
        notSupported,
        contributions,
      });
    }
  }

  /** Gives what the task needs and nobody executes yet. */
  #check(task: ResolvedDefinition, lineage: Lineage, { variant, placed }: Pick<Shared, "variant" | "placed">): readonly string[] {
    const note = (problem: Problem): void => this.#note(this.#placed(problem, placed));
    for (const problem of resolvedRuleProblems(task)) {
      const issue =
        problem.code === "early-stop" ? undefined : (this.#ofVariantPrompt(problem, lineage, variant) ?? placed.ofOtherLayer(problem));
      if (issue === undefined) note(problem);
      else this.#note(issue);
    }
    for (const problem of foreseeableProblems(task, this.#context.env, lineage)) note(problem);
    const unsupported = unsupportedProblems(task, lineage);
    if (unsupported.length === 0) return [];
    if (this.#context.unsupported === "refuse") {
      this.#notSupported = true;
      for (const problem of unsupported) note(problem);
    }
    return unsupported.map(({ message }) => message.replace(/^not supported yet: /, ""));
  }

  /** A prompt of the variant's own that nobody reads is not to be mended in the task. */
  #ofVariantPrompt(problem: Problem, lineage: Lineage, variant: LoadedVariant): Issue | undefined {
    const isOverridden = problem.path[0] === "initial_prompt" && lineage.initial_prompt?.source === "variant";
    return isOverridden ? this.#ofExperiment({ ...problem, path: [...variant.path, "initial_prompt"] }) : undefined;
  }

  /** An error of the experiment is told with the task that it shows in; a warning is the same for all. */
  #ofExperiment(problem: Problem): Issue {
    const issue = issueAt(this.#context.experiment.parsed ?? this.#loaded.parsed, problem);
    return problem.severity === "error" ? { ...issue, mergedWith: this.#loaded.file.name } : issue;
  }

  /** A setting's problem belongs to the layer that the value came from: a shared experiment's is mended there. */
  #placed(problem: Problem, placed: LayerIssues): Issue {
    const [root, ...path] = problem.path;
    if (root !== "agent" && root !== "run_limits" && root !== "sandbox" && root !== "simulation")
      return issueAt(this.#loaded.parsed, problem);
    return placed.issueOf(root, { ...problem, path });
  }

  /** Rows and variants repeat each other's findings. */
  #note(issue: Issue): void {
    const key = JSON.stringify([issue.code, issue.file, issue.line, issue.column, issue.message]);
    if (this.#issues.size < maxIssues || issue.severity === "error") this.#issues.set(key, issue);
  }

  finish(dataset: DatasetFacts | undefined): ResolvedFile {
    const issues = inFileOrder([...this.#loaded.warnings, ...this.#issues.values()], this.#loaded.file.name);
    const errors = issues.filter(({ severity }) => severity === "error");
    if (errors.length === 0) return { kind: "resolved", tasks: this.#tasks, warnings: issues, dataset };
    const onlyUnsupported = this.#notSupported && errors.every(({ code }) => code === "not-supported");
    return { kind: "refused", errorType: onlyUnsupported ? "NotSupportedError" : "ValueError", issues };
  }
}
