import { lastLines } from "./cut-text.ts";

const ownLine = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[(DEBUG|INFO|WARNING|ERROR)\] evalbatch: (.*)$/;
const sourceLine = /^\[([^\]]+)\] ?(.*)$/;
const preRun = /^running (pre_run) command: (.*)$/;

/** Of the log's end that is read, for each character that is shown: not all of 200,000 for each of thousands of tasks. */
const readAhead = 20;

/** What is told by the report itself, or says nothing of why a task failed. */
const noise: readonly RegExp[] = [/^\[(?:criterion|left out)\] /, /^\[sandbox\] (?:tempdir sandbox of|container \S+ of image) /];

/**
 * The end of a task's log as a person wants to read it, at most `max` characters: what agent, hooks and set-up printed, each
 * line with its origin, and our warnings. Times, our bookkeeping and what `told` says already are left out. Lines of
 * other writers and the log of an image build stay as they are.
 */
export function logExcerpt(log: string, max: number, told?: string): string {
  return lastLines(
    lastLines(log, max * readAhead)
      .split("\n")
      .flatMap((line) => excerptLine(line, told))
      .join("\n"),
    max,
  );
}

function excerptLine(line: string, told: string | undefined): string[] {
  const [, level, text = ""] = ownLine.exec(line) ?? [];
  if (level === undefined) return [line];
  if (level === "WARNING" || level === "ERROR") return text === told?.trim() ? [] : [`${level.toLowerCase()}: ${text}`];
  if (noise.some((pattern) => pattern.test(text))) return [];
  const [, hook, command] = preRun.exec(text) ?? [];
  if (hook !== undefined) return [`${hook} $ ${command ?? ""}`];
  const [, source, said = ""] = sourceLine.exec(text) ?? [];
  return source === undefined ? [] : [`${source.replace(/ std(?:out|err)$/, "")} | ${said}`.trimEnd()];
}
