import {
  AgentError,
  DeadlineError,
  EnvironmentError,
  errorMessage,
  InternalError,
  SandboxLostError,
  SandboxSetupError,
} from "../errors.ts";
import type { ErrorContext } from "../results/task-result.ts";

/** Categories of formats.md 10.1 that a set-up error can carry as its code. */
const setupCategories: ReadonlySet<string> = new Set([
  "sandbox_setup_error",
  "package_install_error",
  "venv_creation_error",
  "template_copy_error",
  "git_clone_error",
]);

/**
 * The category of an error, from its type and code, never from its text. Ours beside upstream's: `image_error`, `sandbox_lost`,
 * `stage_timeout`, `environment_error`.
 */
export function categoryOfError(error: unknown): string {
  if (error instanceof SandboxLostError) return error.oomKilled ? "out_of_memory" : "sandbox_lost";
  if (error instanceof AgentError) return error.code;
  if (error instanceof DeadlineError) return "stage_timeout";
  if (error instanceof SandboxSetupError) return setupCategories.has(error.code) ? error.code : "sandbox_setup_error";
  if (error instanceof EnvironmentError)
    return error.code === "disk-full" ? "disk_full" : error.code.startsWith("image") ? "image_error" : "environment_error";
  return "unknown";
}

/** What is known of an agent that failed, besides its error. */
export interface AgentFailure {
  /** Attempts that there were, at least 1. */
  readonly attempts: number;
  readonly isRetryable: boolean;
  /** The wait before the last attempt, in seconds; 0 where there was none. */
  readonly retryDelaySeconds: number;
  /** Foreign text, with whatever secrets stand in it. */
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
}

/** Characters of each stream of a failed agent (formats.md 5.6). */
const streamChars = 1000;
const headShare = 0.4;

export interface ErrorPlace {
  readonly taskId: string;
  readonly component: string;
  readonly agentType: string;
  readonly category?: string | undefined;
  readonly agent?: AgentFailure | undefined;
  /** In place of the error's own hint. */
  readonly tip?: string | undefined;
  readonly at: Date;
}

/** `error_details` of a result (formats.md 5.6). A stack trace is kept only where the error may be a bug of ours. */
export function toErrorContext(error: unknown, place: ErrorPlace): ErrorContext {
  const known = error instanceof Error && "code" in error && !(error instanceof InternalError);
  return {
    error_category: place.category ?? categoryOfError(error),
    error_message: errorMessage(error),
    stack_trace: error instanceof Error && !known ? (error.stack ?? null) : null,
    task_id: place.taskId,
    component: place.component,
    agent_name: place.agentType,
    attempt_number: place.agent?.attempts ?? 1,
    is_retryable: place.agent?.isRetryable ?? false,
    retry_delay_seconds: place.agent?.retryDelaySeconds ?? 0,
    disk_usage_gb: null,
    memory_usage_gb: null,
    agent_stdout: headAndTail(place.agent?.stdout),
    agent_stderr: headAndTail(place.agent?.stderr),
    timestamp: place.at.toISOString(),
    error_tip: place.tip ?? hintOf(error),
  };
}

/** 40 % from the start and 60 % from the end of what is too long; null for nothing. */
function headAndTail(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  if (text.length <= streamChars) return text;
  const head = Math.round(streamChars * headShare);
  const mark = "\n…\n";
  return `${text.slice(0, head)}${mark}${text.slice(head + mark.length - streamChars)}`.toWellFormed();
}

function hintOf(error: unknown): string | null {
  return error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : null;
}
