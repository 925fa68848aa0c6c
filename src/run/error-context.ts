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

export interface ErrorPlace {
  readonly taskId: string;
  readonly component: string;
  readonly agentType: string;
  readonly category?: string | undefined;
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
    attempt_number: 1,
    is_retryable: false,
    retry_delay_seconds: 0,
    disk_usage_gb: null,
    memory_usage_gb: null,
    agent_stdout: null,
    agent_stderr: null,
    timestamp: place.at.toISOString(),
    error_tip: hintOf(error),
  };
}

function hintOf(error: unknown): string | null {
  return error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : null;
}
