/** One finding about the user's input: where it is, what is wrong there and what would be right. */
export interface Issue {
  readonly severity: "error" | "warning";
  /** Stable word for tests and tables, e.g. `unknown-key`. */
  readonly code: string;
  readonly message: string;
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
  /** Dotted path of the field, e.g. `success_criteria[2].path`. */
  readonly field?: string | undefined;
  /** What to do next. */
  readonly hint?: string | undefined;
  /** The task file that `file`, an experiment's, is at odds with. */
  readonly mergedWith?: string | undefined;
}

/** The text of a line of a file that an issue names, when it is known. */
export type LineOf = (file: string, line: number) => string | undefined;

interface ErrorOptionsWithHint {
  readonly cause?: unknown;
  readonly hint?: string | undefined;
}

abstract class EvalbatchError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  constructor(name: string, code: string, message: string, options: ErrorOptionsWithHint = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = name;
    this.code = code;
    this.hint = options.hint;
  }
}

/** The user's files, flags or inputs are wrong. Printed without a stack trace, all issues at once. */
export class InputError extends EvalbatchError {
  readonly issues: readonly Issue[];
  readonly lineOf: LineOf | undefined;
  constructor(issues: readonly Issue[], options: ErrorOptionsWithHint & { readonly lineOf?: LineOf | undefined } = {}) {
    super("InputError", issues[0]?.code ?? "input", issues.map((issue) => issue.message).join("; "), options);
    this.issues = issues;
    this.lineOf = options.lineOf;
  }
}

/** The machine lacks something: engine, disk, image, network, token. Printed with the remedy, without a stack trace. */
export class EnvironmentError extends EvalbatchError {
  constructor(code: string, message: string, options: ErrorOptionsWithHint = {}) {
    super("EnvironmentError", code, message, options);
  }
}

/** The user stopped us before anything was run. */
export class InterruptedError extends EvalbatchError {
  constructor(message: string, options: ErrorOptionsWithHint = {}) {
    super("InterruptedError", "interrupted", message, options);
  }
}

/** The image of a task could not be built: the task becomes BUILD_FAILED, the run goes on. */
export class ImageBuildError extends EvalbatchError {
  /** The whole build output as far as it was kept. */
  readonly log: string;
  constructor(message: string, log: string, options: ErrorOptionsWithHint = {}) {
    super("ImageBuildError", "image-build", message, options);
    this.log = log;
  }
}

/**
 * Sandbox and host set-up of one task went wrong (template, package, pre_run): the task becomes ERROR.
 * Not for a task's own failing commands after set-up: those are results.
 */
export class SandboxSetupError extends EvalbatchError {
  constructor(code: string, message: string, options: ErrorOptionsWithHint = {}) {
    super("SandboxSetupError", code, message, options);
  }
}

/** The agent could not do its work for a reason that is not its own, or ran out of time: the task becomes ERROR. */
export class AgentError extends EvalbatchError {
  constructor(code: string, message: string, options: ErrorOptionsWithHint = {}) {
    super("AgentError", code, message, options);
  }
}

/** The container or the engine vanished under a running task: the task becomes ERROR, never "failed". */
export class SandboxLostError extends EvalbatchError {
  readonly oomKilled: boolean;
  /** The engine did not answer, so it may be gone for all tasks. */
  readonly engineLost: boolean;
  constructor(message: string, options: ErrorOptionsWithHint & { readonly oomKilled?: boolean; readonly engineLost?: boolean } = {}) {
    super("SandboxLostError", "sandbox-lost", message, options);
    this.oomKilled = options.oomKilled ?? false;
    this.engineLost = options.engineLost ?? false;
  }
}

/** What a task left behind is too large for what is asked of it: its own doing, of which a criterion fails. */
export class TooLargeError extends EvalbatchError {
  constructor(message: string, options: ErrorOptionsWithHint = {}) {
    super("TooLargeError", "too-large", message, options);
  }
}

/** A stage of a task took longer than its own limit. */
export class DeadlineError extends EvalbatchError {
  readonly stage: string;
  readonly limitMs: number;
  constructor(stage: string, limitMs: number, options: ErrorOptionsWithHint = {}) {
    super("DeadlineError", "deadline", `${stage} took longer than ${limitMs / 1000} s`, options);
    this.stage = stage;
    this.limitMs = limitMs;
  }
}

/** A bug of ours. Printed with its stack trace and the request to report it. */
export class InternalError extends EvalbatchError {
  constructor(message: string, options: ErrorOptionsWithHint = {}) {
    super("InternalError", "internal", message, options);
  }
}

/** Compile-time proof that a union was handled to its end. */
export function assertNever(value: never): never {
  throw new InternalError(`unexpected value ${JSON.stringify(value)}`);
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
