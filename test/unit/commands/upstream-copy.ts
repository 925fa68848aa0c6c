import assert from "node:assert/strict";
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { reportCommand } from "../../../src/commands/report.ts";
import { rowKeyText } from "../../../src/results/layout.ts";
import { type RunSummary, runSummarySchema } from "../../../src/results/run-summary-schema.ts";

/** Run directories of coder_eval that the tests bring along, by `<folder>/<name>`. */
export const fixtures = resolve(import.meta.dirname, "../../fixtures");

/** A larger collection, with a README for each case; beside the checkout unless the variable names another place. */
export const collection = process.env.EVALBATCH_UPSTREAM_RUNS ?? resolve(fixtures, "../../../shared/upstream-runs");

const rowSchema = z.looseObject({
  task_id: z.string(),
  variant_id: z.string(),
  replicate_index: z.number(),
  status: z.string(),
  weighted_score: z.number().nullable(),
  duration: z.number(),
  tags: z.array(z.string()),
  task_path: z.string(),
});

/** What coder_eval says of a run itself. */
const writtenSchema = z.looseObject({
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  tasks_not_graded: z.number().default(0),
  max_parallel: z.number(),
  framework_version: z.string(),
  skipped_tasks: z.array(z.unknown()),
  task_results: z.array(rowSchema),
});

export type Written = z.output<typeof writtenSchema>;

export interface UpstreamCopy extends Disposable {
  readonly path: string;
  /** As it is now; undefined where the run never came to its end. */
  readonly written: Written | undefined;
  rebuild(): Promise<{ readonly summary: RunSummary; readonly exitCode: number; readonly problems: string; readonly text: string }>;
}

/** A writable copy of a run directory. */
export function copyOfUpstream(from: string): UpstreamCopy {
  const root = mkdtempSync(join(tmpdir(), "evalbatch-upstream-"));
  const path = join(root, basename(from));
  cpSync(from, path, { recursive: true });
  makeWritable(path);
  const file = join(path, "run.json");
  return {
    path,
    get written() {
      return existsSync(file) ? writtenSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
    },
    rebuild: async () => {
      const outcome = await reportCommand({ runDir: path, rebuild: true });
      return { ...outcome, summary: runSummarySchema.parse(JSON.parse(readFileSync(file, "utf8"))) };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function makeWritable(path: string): void {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink()) return;
  chmodSync(path, facts.mode | 0o200);
  if (facts.isDirectory()) for (const name of readdirSync(path)) makeWritable(join(path, name));
}

/** Every number of a summary that can be told from its rows is told right. */
export function assertAddsUp(summary: RunSummary): void {
  const { tasks_run, tasks_succeeded, tasks_failed, tasks_error, tasks_not_graded, tasks_not_run } = summary;
  assert.equal(tasks_succeeded + tasks_failed + tasks_error + tasks_not_graded, tasks_run);
  assert.equal(summary.task_results.length, tasks_run);
  assert.equal(summary.not_run.length, tasks_not_run);
  assert.equal(summary.tasks_planned, tasks_run + tasks_not_run);
  assert.equal(new Set(summary.task_results.map(keyOf)).size, tasks_run, "a row counts once");
  const graded = tasks_run - tasks_not_graded;
  if (graded === 0) assert.equal(summary.pass_rate, null);
  else assert.equal(summary.pass_rate, tasks_succeeded / graded);
  if (tasks_succeeded < tasks_run || tasks_not_run > 0 || summary.unreadable.length > 0) assert.notEqual(summary.verdict, "passed");
}

/** A rebuild of a run that came to its end says what coder_eval said. */
export function assertSaysTheSame(summary: RunSummary, written: Written): void {
  for (const key of ["tasks_run", "tasks_succeeded", "tasks_failed", "tasks_error", "max_parallel", "framework_version"] as const) {
    assert.equal(summary[key], written[key], key);
  }
  assert.equal(summary.tasks_not_graded, written.tasks_not_graded);
  assert.deepEqual(summary.skipped_tasks, written.skipped_tasks);
  assert.deepEqual(summary.task_results.map(pick), written.task_results.map(pick));
  assert.deepEqual(summary.not_run, []);
  assert.deepEqual(summary.unreadable, []);
}

function keyOf(row: { variant_id: string | null; task_id: string; replicate_index: number | null }): string {
  return rowKeyText(row.variant_id, row.task_id, row.replicate_index);
}

const compared = ["task_id", "variant_id", "replicate_index", "status", "weighted_score", "duration", "tags", "task_path"] as const;

function pick(row: Readonly<Record<(typeof compared)[number], unknown>>): unknown {
  return compared.map((key) => row[key]);
}
