import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EvaluationResult, evaluationResultSchema } from "../../../src/results/task-result.ts";

/** Run directories that coder_eval wrote (`mixed-0.12.16` by that version, the others by 0.8.2; `damaged` was broken on purpose). */
export const fixtureRuns = join(import.meta.dirname, "../../fixtures/results");

/** A temporary directory that is removed with its scope. */
export function temporaryDirectory(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "evalbatch-results-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A writable copy of a fixture run. */
export function copyOfRun(name: string): { readonly path: string } & Disposable {
  const directory = temporaryDirectory();
  cpSync(join(fixtureRuns, name), directory.path, { recursive: true });
  return directory;
}

/** A result with defaults everywhere. */
export function sampleResult(overrides: Partial<EvaluationResult> = {}): EvaluationResult {
  const plain = evaluationResultSchema.parse({ task_id: "a-task", final_status: "SUCCESS", started_at: "2026-07-07T10:11:12.123Z" });
  return { ...plain, duration_seconds: 1.5, weighted_score: 1, ...overrides };
}

/** Writes a file and the directories above it. */
export function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
