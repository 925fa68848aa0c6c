import { stat } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../errors.ts";
import { compareFingerprints } from "../results/fingerprint/compare-fingerprints.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import { readFingerprint, readFingerprintFile } from "../results/fingerprint/fingerprint-file.ts";
import { fileNames } from "../results/layout.ts";
import { walkResults } from "../results/result-tree.ts";
import { checkStamps, type StampCheck } from "./check-stamps.ts";
import { exitCodes } from "./exit-codes.ts";
import { comparisonFacts, fingerprintFacts } from "./fingerprint-json.ts";
import { renderComparison, renderFingerprint } from "./fingerprint-table.ts";

export interface FingerprintOptions {
  /** A run directory, or a fingerprint's file. */
  readonly runDir: string;
  /** What it is compared with: the later one. */
  readonly other?: string | undefined;
  readonly json: boolean;
  /** Width of the terminal. */
  readonly columns: number;
}

export interface FingerprintOutcome {
  readonly text: string;
  /** 1: something differs that can change a result, or results were made with another stamp than is recorded. */
  readonly exitCode: number;
}

/** A fingerprint, and where it lies. */
export interface FoundFingerprint {
  readonly path: string;
  readonly fingerprint: Fingerprint;
}

/**
 * What a run was made with, or what differs between two runs.
 * @throws InputError where there is no fingerprint, or none that can be read
 */
export async function fingerprintCommand({ runDir, other, json, columns }: FingerprintOptions): Promise<FingerprintOutcome> {
  const found = await findFingerprint(runDir);
  if (other === undefined) {
    const isChecked = found.fingerprint.own !== undefined && (await isDirectory(runDir));
    const check = isChecked ? await checkStamps(runDir, found.fingerprint) : undefined;
    const text = json ? fingerprintFacts(found, check) : renderFingerprint(found, check, columns);
    return { text, exitCode: hasForeignStamps(check) ? exitCodes.failed : exitCodes.passed };
  }
  const now = await findFingerprint(other);
  const comparison = compareFingerprints(found.fingerprint, now.fingerprint);
  const text = json ? comparisonFacts(found, now, comparison) : renderComparison(found, now, comparison, columns);
  return { text, exitCode: comparison.entries.some(({ benign }) => !benign) ? exitCodes.failed : exitCodes.passed };
}

function hasForeignStamps(check: StampCheck | undefined): boolean {
  return check !== undefined && check.differing.count > 0;
}

async function findFingerprint(place: string): Promise<FoundFingerprint> {
  const isRun = await isDirectory(place);
  const path = isRun ? join(place, fileNames.fingerprint) : place;
  const read = isRun ? await readFingerprint(place) : await readFingerprintFile(place);
  if (read.kind === "fingerprint") return { path, fingerprint: read.fingerprint };
  if (read.kind === "unreadable") {
    throw problem("bad-fingerprint", `${path} cannot be read: ${read.reason}`, "without it nothing tells what the run was made with");
  }
  if (!isRun) throw problem("no-run", `${place} does not exist`, "give the directory that `evalbatch run` printed, e.g. runs/latest");
  const results = countResults(place);
  if (results === 0) throw problem("no-run", `${place} holds no run`, "give the directory that `evalbatch run` printed, e.g. runs/latest");
  throw problem(
    "no-fingerprint",
    `${place} holds ${results} ${results === 1 ? "result" : "results"} but no ${fileNames.fingerprint}`,
    "a run writes it before its first task, so an older version made this one, or the file got lost; nothing else tells what the results were made with",
  );
}

function countResults(runDir: string): number {
  let count = 0;
  for (const entry of walkResults(runDir, fileNames.task)) if (entry.kind === "file") count += 1;
  return count;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function problem(code: string, message: string, hint: string): InputError {
  return new InputError([{ severity: "error", code, message, hint }]);
}
