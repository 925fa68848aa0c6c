import { EnvironmentError, errorMessage, SandboxLostError, SandboxSetupError } from "../../errors.ts";

/** What to throw for a copy that failed: `template_copy_error`, unless the machine, the sandbox or an abort was to blame. */
export function copyError(error: unknown, name: string, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof SandboxLostError || error instanceof EnvironmentError) return error;
  if (error instanceof SandboxSetupError && error.code === "template_copy_error") return error;
  return new SandboxSetupError("template_copy_error", `${name} could not be copied: ${errorMessage(error)}`, { cause: error });
}
