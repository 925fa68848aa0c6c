import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { countedOutcome } from "./counted-outcome.ts";
import { type Category, categoryOf } from "./final-status.ts";
import { keyOfCell } from "./known-rows.ts";
import type { RunRow } from "./run-row.ts";
import type { RunSummary } from "./run-summary-schema.ts";
import { passRateOf, runCost } from "./statistics.ts";

// What a comment remembers of the run that it shows, so that the next one can say what changed. Whoever may edit the
// comment may have written it, so it is read as hostile. It holds hashes of names and no name: what is shown of a row
// comes from the run at hand. The replicates of a task in a variant count as one: which of them fails is chance, so that
// a flaky task would be fixed and failing anew with every run.

export type RowRef = Pick<RunRow, "variant_id" | "task_id" | "replicate_index">;

export interface PreviousRun {
  /** Of the commit that was evaluated: 40 or 64 hexadecimal digits. */
  readonly sha: string | undefined;
  /** 0 … 1; undefined when nothing was graded. */
  readonly passRate: number | undefined;
  /** USD; undefined when nothing had a price. */
  readonly cost: number | undefined;
  /** Undefined of a run that only did the rest of another one: its time says nothing of the tasks. */
  readonly seconds: number | undefined;
  /** Where it is an earlier attempt of the workflow run at hand: which, from 1. */
  readonly attempt: number | undefined;
}

export interface Changes {
  readonly previous: PreviousRun;
  /** Which rows of the previous run are known: all; those that failed or ended in an error; none, but its figures. */
  readonly compared: "all" | "missed" | "none";
  /**
   * Passed before, failed or ended in an error now, each task and variant once. Where only misses are known: no miss before, so perhaps
   * not there at all.
   */
  readonly newlyFailing: readonly RowRef[];
  readonly fixed: readonly RowRef[];
  readonly stillFailing: number;
  /** Failed before they passed: no success in a rate, and nothing that is to be repaired now. */
  readonly passedOnRetry: number;
  /** Not graded or not run before, passed, failed or ended in an error now; where only misses are known, none. */
  readonly finished: { readonly all: number; readonly failing: number };
  /** Planned now and not before; undefined where not all rows are known. */
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

/** A comment holds 65,536 characters; this much of them may remember. */
export const maxDigestChars = 12_000;
const maxInflatedBytes = 128 * 1024;

/** 32 bits of a hash of its key stand for a task in a variant. */
const hashDigits = 8;
const hashes = z.string().regex(/^(?:[0-9a-f]{8})*$/);
const amount = z.number().min(0).max(1e12);
const shaSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

const writtenSchema = z.object({
  v: z.literal(1),
  /** Of the run itself: a second report of one run is no change. */
  run: hashes.length(hashDigits),
  sha: shaSchema.nullable(),
  rate: z.number().min(0).max(1).nullable(),
  cost: amount.nullable(),
  seconds: amount,
  /** It only did the rest of another run. Absent in what older versions wrote. */
  resumed: z.literal(true).optional(),
  kept: z.enum(["all", "missed", "none"]),
  passed: hashes,
  missed: hashes,
  /** Not graded or not run. */
  open: hashes,
});

type Written = z.infer<typeof writtenSchema>;
type State = "passed" | "missed" | "open";

/**
 * A run as text of `[A-Za-z0-9_-]`, at most `maxDigestChars`. One that is too large for it is remembered by its rows that
 * failed or ended in an error, or by its figures alone.
 * @param sha of the commit that was evaluated
 */
export function encodeRows(summary: RunSummary, sha: string | undefined): string {
  const all = describe(summary, sha);
  const missed: Written = { ...all, kept: "missed", passed: "", open: "" };
  for (const part of [all, missed]) {
    const text = pack(part);
    if (text.length <= maxDigestChars) return text;
  }
  return pack({ ...missed, kept: "none", missed: "" });
}

function pack(written: Written): string {
  return deflateRawSync(JSON.stringify(written)).toString("base64url");
}

function describe(summary: RunSummary, sha: string | undefined): Written {
  const rows: Record<State, string[]> = { passed: [], missed: [], open: [] };
  for (const [row, state] of statesOf(summary)) rows[state].push(hashOf(keyOfCell(row)));
  return {
    v: 1,
    run: runHash(summary),
    sha: shaSchema.safeParse(sha).data ?? null,
    rate: passRateOf(summary).rate ?? null,
    cost: amount.safeParse(runCost(summary.task_results).total).data ?? null,
    seconds: amount.safeParse(summary.total_duration_seconds).data ?? 0,
    ...(summary.resume === null ? {} : { resumed: true }),
    kept: "all",
    passed: rows.passed.join(""),
    missed: rows.missed.join(""),
    open: rows.open.join(""),
  };
}

const stateOf = { succeeded: "passed", failed: "missed", error: "missed", ungraded: "open" } as const satisfies Record<Category, State>;

/** Each task and variant once, by one of its rows and the attempts that count: missed where a replicate missed, passed where all of them passed. */
function statesOf(summary: RunSummary): Iterable<readonly [RowRef, State]> {
  const states = new Map<string, readonly [RowRef, State]>();
  const note = (row: RowRef, state: State): void => {
    const key = keyOfCell(row);
    const before = states.get(key);
    if (before === undefined || (before[1] !== "missed" && state !== "passed")) states.set(key, [row, state]);
  };
  for (const row of summary.task_results) note(row, stateOf[categoryOf(countedOutcome(row).status)]);
  for (const row of summary.not_run) note(row, "open");
  return states.values();
}

/** Run ids are names of directories, which may be the same in every run; each attempt of a run is one to compare with. */
function runHash({ run_id: id, start_time: start, resume }: RunSummary): string {
  return hashOf(JSON.stringify(resume === null ? [id, start] : [id, start, resume.attempt]));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hashDigits);
}

/**
 * What changed since the run that a comment remembers.
 * @param data what `encodeRows` gave, as it was found
 * @param attempt where the comment is of an earlier attempt of this workflow run: which
 * @returns undefined when there is none, it is damaged, or it is of this very run
 */
export function compareWithPrevious(data: string | undefined, summary: RunSummary, attempt?: number): Changes | undefined {
  const written = data === undefined ? undefined : unpack(data);
  if (written === undefined || written.run === runHash(summary)) return undefined;
  const before = statesIn(written);
  const known = written.kept;
  const now = new Set<string>();
  const failing = new Set(summary.task_results.filter(({ status }) => stateOf[categoryOf(status)] === "missed").map(keyOfCell));
  const newlyFailing: RowRef[] = [];
  const fixed: RowRef[] = [];
  let [stillFailing, passedOnRetry, finished, finishedFailing] = [0, 0, 0, 0];
  for (const [row, counted] of statesOf(summary)) {
    const hash = hashOf(keyOfCell(row));
    const was = before.get(hash);
    now.add(hash);
    const isLate = counted === "missed" && !failing.has(keyOfCell(row));
    const state = isLate ? "late" : counted;
    if (isLate) passedOnRetry += 1;
    else if (was === "open" && state !== "open") finished += 1;
    if (was === "open" && state === "missed") finishedFailing += 1;
    if (state === "missed" && was === "missed") stillFailing += 1;
    else if (state === "missed" && (was === "passed" || known === "missed")) newlyFailing.push(row);
    else if (state === "passed" && was === "missed") fixed.push(row);
  }
  const missing = (from: Iterable<string>, among: { has(hash: string): boolean }) =>
    known === "all" ? [...from].filter((hash) => !among.has(hash)).length : undefined;
  return {
    previous: { ...previousOf(written), attempt },
    compared: known,
    newlyFailing,
    fixed,
    stillFailing,
    passedOnRetry,
    finished: { all: finished, failing: finishedFailing },
    added: missing(now, before),
    removed: missing(before.keys(), now),
  };
}

function statesIn(written: Written): Map<string, State> {
  const states = new Map<string, State>();
  for (const state of ["passed", "missed", "open"] as const) {
    for (const [hash] of written[state].matchAll(/.{8}/g)) states.set(hash, state);
  }
  return states;
}

function previousOf(written: Written): Omit<PreviousRun, "attempt"> {
  return {
    sha: written.sha ?? undefined,
    passRate: written.rate ?? undefined,
    cost: written.cost ?? undefined,
    seconds: written.resumed === true ? undefined : written.seconds,
  };
}

/** Nothing for anything but what `encodeRows` may have written. A few bytes can swell to gigabytes, so that is bounded too. */
function unpack(data: string): Written | undefined {
  if (data.length > maxDigestChars || !/^[\w-]+$/.test(data)) return undefined;
  try {
    const inflated = inflateRawSync(Buffer.from(data, "base64url"), { maxOutputLength: maxInflatedBytes });
    return writtenSchema.safeParse(JSON.parse(inflated.toString())).data;
  } catch {
    return undefined;
  }
}
