import type { Problem } from "../issues.ts";

/** What goes wrong without making the task impossible: it runs as in 0.8.2, and the hint says what will happen or helps. */
export function warning(code: string, path: readonly PropertyKey[], message: string, hint?: string): Problem {
  return { severity: "warning", code, path, message, hint };
}
