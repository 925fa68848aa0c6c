import type { Issue } from "../errors.ts";
import { foldIssues } from "../plan/fold-issues.ts";
import { plural, score } from "../report/number-text.ts";
import { type RowNames, rowNames } from "../report/row-names.ts";
import { fileReason, reasonOf } from "../report/row-text.ts";
import { verdictWords } from "../report/verdict-words.ts";
import { isError, worstFirst } from "../report/worst-first.ts";
import { causeKey } from "../results/common-cause.ts";
import type { GateEnd } from "../results/gate.ts";
import type { RunRow } from "../results/run-row.ts";
import type { RunSummary } from "../results/run-summary-schema.ts";
import { annotateWarnings } from "./annotate-issues.ts";
import { type AnnotateDeps, fileIn } from "./annotation-place.ts";
import type { AnnotationPlace } from "./commands.ts";
import { driftTitle, driftWarning } from "./drift-annotation.ts";
import { criterionLine, problemLine } from "./task-lines.ts";

/**
 * Misses that are marked. GitHub keeps ten annotations of a kind for each step and drops later ones without a word: the
 * verdict takes one, another stays free.
 */
const maxMarked = 8;
/** Of those at least so many for results, if there are, beside files that could not be loaded. */
const minRows = 4;
const title = "evalbatch";

/** Warnings of task files that are marked beside a verdict, the one that counts the rest included. */
const maxWarnings = 5;
/** Where misses are warnings themselves. */
const maxWarningsBesideMisses = 2;

/**
 * Marks on the page of the run, and in the diff of a pull request, how a run ended: the verdict, then the worst misses,
 * each at its place in its task file. Errors when the gate does not pass, warnings when it lets misses pass, nothing
 * when there are none. Works from a summary that was read back as well. One warning tells of differences between results; what planning
 * warned of comes last.
 * @param findings of the plan; its errors are misses of the summary
 */
export function annotateRun(summary: RunSummary, gate: GateEnd, deps: AnnotateDeps, findings: readonly Issue[] = []): void {
  const warnings = foldIssues(findings.filter(({ severity }) => severity === "warning"));
  const tolerates = gate.passes && gate.tolerated.length > 0;
  const drift = driftWarning(summary);
  const room = tolerates ? Math.min(maxWarningsBesideMisses, warnings.length) : maxWarnings;
  const taken = tolerates ? room + (drift === undefined ? 0 : 1) : 0;
  if (!gate.passes || tolerates) annotateEnd(summary, gate, deps, maxMarked - taken);
  if (drift !== undefined) deps.commands.warning(drift, { title: driftTitle });
  annotateWarnings(warnings, room, deps);
}

function annotateEnd(summary: RunSummary, gate: GateEnd, deps: AnnotateDeps, most: number): void {
  const misses = missesOf(summary);
  const marked = choose(misses, most);
  const say = (message: string, place: AnnotationPlace): void => {
    if (gate.passes) deps.commands.warning(message, place);
    else deps.commands.error(message, place);
  };
  say(verdictText(summary, gate, count(misses) - count(marked)), { title });
  for (const miss of marked) say(miss.message(), { title: miss.title, ...placeOf(miss, deps) });
}

function verdictText(summary: RunSummary, gate: GateEnd, unmarked: number): string {
  const reasons = gate.passes ? gate.tolerated.map((reason) => `tolerated: ${reason}`) : gate.reasons;
  const more =
    unmarked === 0
      ? []
      : [`${plural(unmarked, "more miss is", "more misses are")} not marked here; run.md and the job summary have all of them`];
  return [verdictWords(summary, gate).words, ...reasons, ...more].join("\n");
}

/** What is marked as one: rows that miss the same criterion of one file would only repeat each other. */
interface Miss {
  readonly kind: "file" | "row";
  readonly title: string;
  readonly file: string | null;
  readonly line: (file: string) => number | undefined;
  readonly message: () => string;
  /** Rows, or files. */
  readonly count: number;
}

const count = (misses: readonly Miss[]): number => misses.reduce((sum, miss) => sum + miss.count, 0);

/** All misses, worst first: files that could not be loaded, errors, then the lowest scores. */
function missesOf(summary: RunSummary): Miss[] {
  const files = summary.skipped_tasks.filter((task) => task.kind === "invalid").map(fileMiss);
  const rows = worstFirst(summary.task_results);
  const causes = Map.groupBy(rows.filter(isError), causeKey);
  const isShared = (row: RunRow): boolean => isError(row) && (causes.get(causeKey(row))?.length ?? 0) > rowsPerCause;
  const names = rowNames(summary);
  const places = Map.groupBy(rows, (row) => (isShared(row) ? `cause ${causeKey(row)}` : placeKey(row, names)));
  return [...files, ...[...places.values()].flatMap((same) => rowMiss(same, names))];
}

/** More rows than these that end in the same error are one miss: of a machine, not of their files. */
const rowsPerCause = 3;

/** Errors of one file and criteria of one file each have their own place; a row without a file is a place of its own. */
function placeKey(row: RunRow, names: RowNames): string {
  if (row.task_path === null) return JSON.stringify([names.of(row)]);
  return JSON.stringify([row.task_path, isError(row), row.failure?.criteria[0]?.index ?? null]);
}

function choose(misses: readonly Miss[], most: number): Miss[] {
  const rows = misses.filter((miss) => miss.kind === "row");
  const files = misses.filter((miss) => miss.kind === "file").slice(0, most - Math.min(minRows, rows.length));
  return [...files, ...rows].slice(0, most);
}

function fileMiss({ path, reason }: { readonly path: string; readonly reason: string }): Miss {
  return {
    kind: "file",
    title: `not loaded: ${path}`,
    file: path,
    line: problemLine,
    message: () => `${path}: ${fileReason(reason)}`,
    count: 1,
  };
}

function rowMiss(rows: readonly RunRow[], names: RowNames): Miss[] {
  const row = rows[0];
  if (row === undefined) return [];
  const index = row.failure?.criteria[0]?.index;
  return [
    {
      kind: "row",
      title: `${row.status}: ${names.of(row)}`,
      file: row.task_path,
      line: (file) => criterionLine(file, index),
      message: () => rowText(row, rows.slice(1), names),
      count: rows.length,
    },
  ];
}

/** With the row's name: the log of the job shows an annotation without its title. */
function rowText(row: RunRow, others: readonly RunRow[], names: RowNames): string {
  const criterion = row.failure?.criteria[0];
  const reason = reasonOf(row);
  const lines: string[] = [];
  if (row.error_message !== null || criterion === undefined) lines.push(reason);
  if (criterion !== undefined) {
    lines.push(`${criterion.description} (${criterion.type}, criterion ${criterion.index + 1})`);
    lines.push(
      `score ${score(criterion.score)}, needs ${score(criterion.pass_threshold)}:${criterion.message.includes("\n") ? "\n" : " "}${criterion.message}`,
    );
    const more = (row.failure?.criteria_missed ?? 1) - 1;
    if (more > 0) lines.push(`${plural(more, "more criterion", "more criteria")} missed`);
  }
  const what = isError(row) ? "ended in an error" : "missed it";
  if (others.some((other) => other.task_path !== row.task_path))
    lines.push(`${plural(others.length, "more task")} ended in the same error`);
  else if (others.length > 0) lines.push(`${plural(others.length, "more row")} of this file ${what} too`);
  return `${names.of(row)}: ${lines.join("\n")}`;
}

function placeOf(miss: Miss, deps: AnnotateDeps): AnnotationPlace {
  const file = miss.file === null ? undefined : fileIn(miss.file, deps);
  const line = file === undefined ? undefined : miss.line(file);
  return line === undefined ? {} : { file, line };
}
