/** The engine answered with an error status. Decide by `status`; `message` is for people. */
export class EngineResponseError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "EngineResponseError";
    this.status = status;
  }
}

/** No (whole) answer came: nothing listens, the connection broke, or the engine was silent for too long. */
export class EngineConnectionError extends Error {
  /** `ENOENT`, `EACCES`, `ECONNREFUSED`, `ECONNRESET`, `ETIMEDOUT`, … */
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EngineConnectionError";
    this.code = code;
  }
}

/** Whether the engine answered with this status. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof EngineResponseError && statuses.includes(error.status);
}

/** The system's error code of a low-level failure, `EIO` where there is none. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  // Node groups the failures of several addresses of one host.
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return "EIO";
}
