import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type EarlierRun, type EarlierRunDeps, type EarlierRunRequest, fetchEarlierRun } from "../../src/github/earlier-run.ts";
import { originOf } from "../../src/github/earlier-run-origin.ts";
import type { RunOrigin } from "../../src/results/resume/run-origin.ts";
import { type RestApi, type RestApiOptions, startRestApi } from "../fakes/rest-api.ts";
import type { ResultsService } from "../fakes/results-service.ts";
import { buildZip, type ZipEntry } from "../fakes/zip-builder.ts";
import { envOf, tree } from "./artifact-harness.ts";

export const runId = 7;

/** Of attempt 2 of the job `evals`, unless told otherwise. */
export function originFor(facts: { attempt?: number; job?: string; leg?: string; step?: string; runId?: number } = {}): RunOrigin {
  const { attempt = 2, job = "evals", leg, step = "run", runId: run = runId } = facts;
  const origin = originOf({ repository: "octo-org/evals", runId: String(run), runAttempt: attempt, job, action: step }, leg);
  assert.ok(origin !== null);
  return origin;
}

/** The artifact of a run, as an upload makes it. */
export function runZip(origin: RunOrigin | null, entries: readonly ZipEntry[] = [], plan: Readonly<Record<string, unknown>> = {}): Buffer {
  const content = JSON.stringify({ run_id: "r", start_time: "2026-11-01T10:00:00.000Z", tasks: [], origin, ...plan });
  return buildZip([
    { name: "plan.json", content, dataDescriptor: true },
    { name: "default/a/00/task.json", content: '{"a":1}' },
    ...entries,
  ]);
}

export async function restApi(t: TestContext, options: RestApiOptions = {}): Promise<RestApi> {
  const started = await startRestApi(options);
  t.after(() => started.close());
  return started;
}

export interface Asked {
  readonly end: EarlierRun;
  readonly into: string;
  /** Everything that was printed or told. */
  readonly told: string;
}

interface Question {
  readonly at?: Pick<ResultsService, "url" | "token">;
  readonly api?: Pick<RestApi, "url">;
  readonly request?: Partial<EarlierRunRequest>;
  readonly deps?: Partial<EarlierRunDeps>;
}

/** Asks for the earlier run of attempt 2 of the job `evals`. */
export async function ask(t: TestContext, { at, api, request = {}, deps = {} }: Question): Promise<Asked> {
  const { rootDir } = tree(t, {});
  const into = request.into ?? join(rootDir, "runs/resumed");
  const log: string[] = [];
  const { rootDir: tempDir } = tree(t, {});
  const end = await fetchEarlierRun(
    { mode: "auto", from: undefined, origin: originFor(), name: { job: "evals" }, into, ...request },
    {
      environment: { serverUrl: "https://github.com", apiUrl: api?.url ?? "http://127.0.0.1:9", tempDir },
      env: at === undefined ? {} : envOf(at),
      token: api === undefined ? undefined : "t0ken",
      signal: new AbortController().signal,
      log: (line) => void log.push(line),
      apiTiming: { secondMs: 2 },
      ...deps,
    },
  );
  assert.deepEqual(readdirSync(tempDir), [], "something is left in the temporary directory");
  assert.deepEqual(hidden(rootDir), [], "something is left beside the run directory");
  if (end.kind === "none" && request.into === undefined) assert.ok(!existsSync(into));
  return { end, into, told: [...log, JSON.stringify(end)].join("\n") };
}

const hidden = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) => path.includes(".evalbatch"));

export function assertFound({ end, into }: Asked): Extract<EarlierRun, { kind: "found" }> {
  assert.equal(end.kind, "found", "why" in end ? end.why : undefined);
  assert.equal(readFileSync(join(into, "default/a/00/task.json"), "utf8"), '{"a":1}');
  return "source" in end ? end : assert.fail();
}

export function assertNone({ end }: Asked, pattern: RegExp): void {
  assert.equal(end.kind, "none", JSON.stringify(end));
  assert.match("why" in end ? end.why : "", pattern);
}
