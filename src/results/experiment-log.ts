import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { writeFileAtomic } from "./atomic-file.ts";
import { fileNames } from "./layout.ts";
import { walkResults } from "./result-tree.ts";

const smallBytes = 256 * 1024;
const logsPerTurn = 64;
const rule = "=".repeat(80);

/**
 * Joins all `task.log` files of a run into `experiment.log` (formats.md 4), streamed: logs may be larger than memory.
 * @throws EnvironmentError `disk-full` or `cannot-write`
 */
export async function writeExperimentLog(runDir: string, runId: string, now: Date): Promise<void> {
  const logs = [...walkResults(runDir, fileNames.taskLog)].flatMap((entry) => (entry.kind === "file" && entry.regular ? [entry.path] : []));
  await writeFileAtomic(join(runDir, fileNames.experimentLog), experimentLog(runDir, runId, logs, now));
}

async function* experimentLog(runDir: string, runId: string, logs: readonly string[], now: Date): AsyncGenerator<string> {
  yield `# Run Log: ${runId}\n# Aggregated from ${logs.length} task(s)\n# Generated: ${localTime(now)}\n\n`;
  if (logs.length === 0) yield "No task logs found.\n";
  for (const [index, path] of logs.entries()) {
    if (index % logsPerTurn === logsPerTurn - 1) await setImmediate();
    yield `\n${rule}\nTASK: ${path.slice(0, -fileNames.taskLog.length - 1)}\n${rule}\n\n`;
    let last = "\n";
    try {
      for await (const text of textOf(join(runDir, path))) {
        last = text.slice(-1) || last;
        yield text;
      }
    } catch {
      yield "(this log could not be read)";
      last = ")";
    }
    yield last === "\n" ? "\n" : "\n\n";
  }
}

/** A stream takes several times as long to open as most logs to read. */
async function* textOf(path: string): AsyncGenerator<string> {
  if (statSync(path).size <= smallBytes) {
    yield readFileSync(path, "utf8");
    return;
  }
  for await (const chunk of createReadStream(path, { encoding: "utf8" })) yield String(chunk);
}

/** `YYYY-MM-DD HH:MM:SS` in local time. */
export function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
