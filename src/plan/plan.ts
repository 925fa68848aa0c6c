import { InputError, type Issue } from "../errors.ts";
import { foreseeableProblems } from "./checks.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { Env } from "./expand-path.ts";
import { quote } from "./found-text.ts";
import { issueAt } from "./issues.ts";
import { applyLayers, type Overrides } from "./layers/layers.ts";
import { type LoadedTask, type LoadProblem, loadTask } from "./load.ts";
import { findTaskFiles, type TaskFile } from "./patterns.ts";
import type { ResolvedTask } from "./resolved-task.ts";
import { resultDir, runKey } from "./run-key.ts";
import { duplicateIssues, filterByTags } from "./select.ts";
import { unsupportedProblems } from "./unsupported.ts";
import type { SourceText } from "./yaml/source-text.ts";

export interface PlanOptions extends Overrides {
  readonly patterns: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** For paths in task files and for the check of `env_passthrough_extra`. */
  readonly env: Env;
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly includeSkipped: boolean;
  readonly allowEmpty: boolean;
}

/** A file that was asked for and does not run: a row of `skipped_tasks` (formats.md 3.5). */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
  /** `skip`: the task says so; `invalid`: it cannot run, and the verdict has to tell. */
  readonly kind: "skip" | "invalid";
}

export interface Plan {
  /** In the order of their files' names. */
  readonly tasks: readonly ResolvedTask[];
  readonly skipped: readonly SkippedFile[];
  /** Errors of files that cannot run, and warnings. */
  readonly issues: readonly Issue[];
  /** Rows of `skipped` that are there because of an error: the exit code has to tell. */
  readonly loadFailures: number;
  /** A line of a file that `issues` names, for messages. */
  readonly lineOf: (file: string, line: number) => string | undefined;
}

const variantId = "default";
const maxReasonCharacters = 500;
/** Files read at a time: enough to hide the disk's latency, too few to run out of file handles. */
const readAhead = 16;

/**
 * From patterns to resolved tasks. A file that is wrong becomes a row of `skipped` with its issues, and the others go on.
 * @throws InputError when a pattern matches nothing, when two tasks cannot be told apart, and when there is no task
 * at all (unless `allowEmpty`)
 */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const files = await findTaskFiles(options.patterns, { cwd: options.cwd, home: options.env.HOME ?? options.env.USERPROFILE });
  const draft = new PlanDraft(options);
  for (const loaded of await loadAll(files, options.env)) {
    if (loaded.kind === "no task") draft.issues.push(loaded.notice);
    else if (loaded.kind === "problem") draft.fail(loaded);
    else draft.add(loaded);
  }
  return draft.finish(files.length);
}

async function loadAll(files: readonly TaskFile[], env: Env) {
  const results = [];
  for (let from = 0; from < files.length; from += readAhead) {
    results.push(...(await Promise.all(files.slice(from, from + readAhead).map((file) => loadTask(file, env)))));
  }
  return results;
}

class PlanDraft {
  readonly issues: Issue[] = [];
  readonly #options: PlanOptions;
  readonly #tasks: ResolvedTask[] = [];
  readonly #skipped: SkippedFile[] = [];
  readonly #sources = new Map<string, SourceText>();
  readonly #seenTags = new Set<string>();
  #loadFailures = 0;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  fail(problem: LoadProblem): void {
    const errors = problem.issues.filter((issue) => issue.severity === "error");
    const lead = problem.type === "ValueError" ? "Invalid task definition: " : "";
    this.#refuse(problem.file, `${problem.type}: ${lead}${summaryOf(errors)}`, problem.issues, problem.source);
  }

  #refuse(file: TaskFile, reason: string, issues: readonly Issue[], source: SourceText | undefined): void {
    this.#skipped.push({ path: file.name, reason: cut(reason), kind: "invalid" });
    this.#loadFailures += 1;
    this.#note(file, issues, source);
  }

  #note(file: TaskFile, issues: readonly Issue[], source: SourceText | undefined): void {
    this.issues.push(...issues);
    if (issues.length > 0 && source !== undefined) this.#sources.set(file.name, source);
  }

  /** Decides in the order of formats.md 3.5: `skip`, then tags, then layers and what is not executed yet. */
  add(loaded: LoadedTask): void {
    const { definition, file, parsed } = loaded;
    if (definition.skip && !this.#options.includeSkipped) {
      this.#skipped.push({ path: file.name, reason: cut(`skip: true (task_id='${definition.task_id}')`), kind: "skip" });
      return;
    }
    for (const tag of definition.tags) this.#seenTags.add(tag);
    if (filterByTags([definition], this.#options.tags, this.#options.excludeTags).length === 0) return;
    const layered = applyLayers(loaded, this.#options);
    if (layered.kind === "problem") {
      const reason = `ValueError: Invalid task definition: ${summaryOf(layered.issues)}`;
      this.#refuse(file, reason, [...loaded.warnings, ...layered.issues], parsed.source);
      return;
    }
    const { task, lineage } = layered;
    const unsupported = unsupportedProblems(task, lineage).map((problem) => issueAt(parsed, problem));
    if (unsupported.length > 0) {
      this.#refuse(file, `NotSupportedError: ${summaryOf(unsupported)}`, [...loaded.warnings, ...unsupported], parsed.source);
      return;
    }
    const foreseen = foreseeableProblems(task, this.#options.env).map((problem) => issueAt(parsed, problem));
    this.#note(file, [...loaded.warnings, ...foreseen], parsed.source);
    this.#tasks.push({
      key: runKey(variantId, task.task_id, 0),
      taskId: task.task_id,
      variantId,
      replicateIndex: 0,
      task,
      taskFile: file.name,
      taskDir: loaded.folder,
      sourceYaml: parsed.source.text,
      lineage,
      resultDir: resultDir(variantId, task.task_id, 0),
    });
  }

  finish(fileCount: number): Plan {
    const duplicates = duplicateIssues(this.#tasks);
    if (duplicates.length > 0) throw new InputError(duplicates);
    const sources = this.#sources;
    const plan: Plan = {
      tasks: this.#tasks,
      skipped: this.#skipped,
      issues: this.issues,
      loadFailures: this.#loadFailures,
      lineOf: (file, line) => sources.get(file)?.lineAt(line),
    };
    // Files that could not be loaded are a result of their own, with exit code 1; here there is nothing at all to say.
    if (plan.tasks.length === 0 && plan.loadFailures === 0 && !this.#options.allowEmpty) throw this.#nothing(fileCount);
    return plan;
  }

  #nothing(fileCount: number): InputError {
    const skipped = this.#skipped.length;
    const filtered = this.#options.tags.length + this.#options.excludeTags.length > 0;
    const why = [
      `${fileCount} ${fileCount === 1 ? "file" : "files"} found`,
      ...(skipped > 0 ? [`${skipped} with skip: true`] : []),
      ...(filtered ? ["the tag filter leaves none of the rest"] : []),
    ];
    const hint = filtered
      ? (this.#meantTag() ?? "check the options tags and exclude-tags, or allow it with allow-empty")
      : "allow it with allow-empty";
    const issue: Issue = { severity: "error", code: "no-tasks", message: `there is no task to run: ${why.join(", ")}`, hint };
    return new InputError([issue, ...this.issues]);
  }

  /** A wanted tag that no task has is most likely a typing mistake. */
  #meantTag(): string | undefined {
    const seen = [...this.#seenTags];
    for (const tag of this.#options.tags.filter((wanted) => !this.#seenTags.has(wanted))) {
      const meant = didYouMean(tag, seen);
      if (meant !== undefined) return `no task has the tag ${quote(tag)}; did you mean '${meant}'?`;
    }
    return undefined;
  }
}

function summaryOf(issues: readonly Issue[]): string {
  return issues
    .map(({ field, line, column, message, hint }) => {
      const place = field ?? (line === undefined ? undefined : `line ${line}, column ${column ?? 1}`);
      const meant = /^did you mean '[^']*'\?/.exec(hint ?? "")?.[0];
      // What was meant says more than all that could have been.
      const text = meant === undefined ? message : `${message.replace(/, expected one of .*$/, "")}; ${meant}`;
      return place === undefined ? text : `${place}: ${text}`;
    })
    .join("; ");
}

function cut(text: string): string {
  return [...text].length > maxReasonCharacters ? [...text].slice(0, maxReasonCharacters).join("") : text;
}
