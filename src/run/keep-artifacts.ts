import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Attempt } from "./attempt.ts";
import { spareBytes } from "./disk-space.ts";
import type { Preservation } from "./preservation.ts";
import type { TaskLog } from "./task-log.ts";

/** Trees that can be made again and that nobody wants in an artifact; they also hold thousands of links. */
const leftBehind = [".venv", "node_modules", ".npm-prefix"];
/** Bytes of one task's files that are kept. */
const maxArtifactBytes = 1024 ** 3;

export interface KeepContext {
  readonly sandbox: Sandbox;
  readonly attempt: Attempt;
  readonly log: TaskLog;
  readonly preservation: Preservation;
  readonly runDir: string;
  readonly signal: AbortSignal;
}

/**
 * Copies the sandbox's files to the run directory, as the preservation mode says (formats.md 8.9). Files that lie there already, because the
 * task worked there, are held to the same rules in place.
 */
export async function keepArtifacts(context: KeepContext): Promise<void> {
  const { attempt, preservation, sandbox, log } = context;
  if (preservation.keepIn === undefined) return;
  attempt.artifactsDir = preservation.shownAs;
  // What is there already needs no more room.
  const maxBytes = preservation.workIn === undefined ? spareBytes(context.runDir, maxArtifactBytes) : maxArtifactBytes;
  if (maxBytes < maxArtifactBytes) log.write("WARNING", `the disk can spare only ${maxBytes} bytes for the files of this task`);
  const report = await sandbox.exportTo(preservation.keepIn, {
    exclude: leftBehind,
    maxBytes,
    move: true,
    signal: context.signal,
  });
  attempt.artifacts = report;
  log.write("INFO", `kept ${report.files} files, ${report.bytes} bytes`);
  for (const { path, reason } of report.leftOut.slice(0, 20)) log.foreign("left out", `${path}: ${reason}`);
  if (report.leftOutCount > 20) log.write("INFO", `left out ${report.leftOutCount} entries in all`);
}
