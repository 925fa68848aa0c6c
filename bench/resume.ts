import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "../src/clock.ts";
import { runCommand } from "../src/commands/run.ts";
import { createPlainProgress } from "../src/progress/plain-progress.ts";
import { strictGate } from "../src/results/gate.ts";
import { serializeTaskResult } from "../src/results/serialize-task-result.ts";
import { parseAll, sampleResult } from "./rebuild.ts";

export interface ResumeFigures {
  readonly files: number;
  readonly megabytes: number;
  /** Reading and bare `JSON.parse` of the results. */
  readonly floorMs: number;
  /** `run --resume` with nothing left to run: planned, stamped, compared, all results taken over, all reports written. */
  readonly oursMs: number;
  readonly ratio: number;
  /** Growth of the resident set over the resumes. */
  readonly rssMegabytes: number;
}

/** Resumes a finished run of `files` rows against the floor of parsing them, both measured in this process, best of `rounds`. */
export async function benchResume(files = 10_000, rounds = 3): Promise<ResumeFigures> {
  const dir = mkdtempSync(join(tmpdir(), "evalbatch-bench-resume-"));
  try {
    const { paths, bytes } = writeFinishedRun(dir, files);
    const rssBefore = process.memoryUsage.rss();
    // The first one finds nothing but results, and leaves a plan and stamps for the others.
    await resume(dir, files);
    let floorMs = Number.POSITIVE_INFINITY;
    let oursMs = Number.POSITIVE_INFINITY;
    let rssPeak = rssBefore;
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      parseAll(paths);
      const between = performance.now();
      await resume(dir, files);
      floorMs = Math.min(floorMs, between - start);
      oursMs = Math.min(oursMs, performance.now() - between);
      rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
    }
    const rssMegabytes = (rssPeak - rssBefore) / 2 ** 20;
    return { files, megabytes: bytes / 2 ** 20, floorMs, oursMs, ratio: oursMs / floorMs, rssMegabytes };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** One dataset, a row of which differs from the next in its prompt, and a result and a log for each of its rows. */
function writeFinishedRun(dir: string, files: number): { paths: string[]; bytes: number } {
  const rows: string[] = [];
  const paths: string[] = [];
  let bytes = 0;
  for (let index = 0; index < files; index += 1) {
    const result = sampleResult(index);
    rows.push(JSON.stringify({ id: result.task_id, text: `part ${index}` }));
    const path = join(dir, "run", "default", "bench", result.task_id, "00", "task.json");
    const text = serializeTaskResult({ ...result, task_id: `bench/${result.task_id}` });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    writeFileSync(join(dirname(path), "task.log"), "2026-07-07 10:11:12 [INFO] run: a line of the log\n".repeat(20));
    paths.push(path);
    bytes += Buffer.byteLength(text);
  }
  writeFileSync(join(dir, "rows.jsonl"), `${rows.join("\n")}\n`);
  writeFileSync(join(dir, "bench.yaml"), task);
  return { paths, bytes };
}

const task = `task_id: bench
description: an agent changes a small program
initial_prompt: Change \${row.text}.
agent: {type: command, command: "true"}
sandbox: {python: null}
dataset: {paths: [rows.jsonl]}
success_criteria: [{type: run_command, description: ok, command: "true"}]
`;

async function resume(cwd: string, files: number): Promise<void> {
  const progress = createPlainProgress({ columns: 120, colour: false, write: () => {} }, () => performance.now());
  const source = { kind: "directory", artifact: null, url: null, workflow_run_id: null, workflow_run_attempt: null } as const;
  const { summary } = await runCommand(
    {
      patterns: ["*.yaml"],
      cwd,
      runDir: "run",
      variants: [],
      overrides: { set: [], driver: "tempdir" },
      sampling: { runSeed: "run" },
      tags: [],
      excludeTags: [],
      includeSkipped: false,
      gate: strictGate,
      verbose: false,
      env: { PATH: process.env.PATH },
      taskEnv: {},
      resume: { retry: "missing", onDrift: "warn", source },
    },
    {
      clock: systemClock,
      progress,
      signal: new AbortController().signal,
      machine: { cpus: availableParallelism(), memoryBytes: totalmem() },
    },
  );
  if (summary.resume?.rows_kept !== files) throw new Error(`${summary.resume?.rows_kept} of ${files} results were kept`);
}

if (import.meta.main) {
  const figures = await benchResume(Number(process.argv[2] ?? 10_000));
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}
