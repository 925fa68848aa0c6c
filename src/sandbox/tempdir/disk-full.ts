import { EnvironmentError } from "../../errors.ts";
import { isCode } from "./confine.ts";

/** A full disk is the machine's trouble, not the task's: the batch stops starting tasks on this code. */
export function throwIfDiskFull(error: unknown, directory: string): void {
  if (!isCode(error, "ENOSPC", "EDQUOT")) return;
  throw new EnvironmentError("disk-full", `no space left below ${directory}`, {
    cause: error,
    hint: "free disk space, or run fewer tasks at once",
  });
}
