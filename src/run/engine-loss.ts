import { EnvironmentError, SandboxLostError } from "../errors.ts";

/** Whether the engine itself may be gone, not just one container of it. */
export function mayBeEngineLoss(error: unknown): boolean {
  if (error instanceof EnvironmentError) return error.code.startsWith("engine");
  return error instanceof SandboxLostError && error.engineLost;
}
