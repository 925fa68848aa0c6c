import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import fc from "fast-check";
import { artifactName, attemptsByName } from "../../../src/github/artifact-name.ts";
import type { ArtifactAccess, Candidate } from "../../../src/github/earlier-run-access.ts";
import { originOf } from "../../../src/github/earlier-run-origin.ts";
import { EarlierRunSearch, type SearchEnd } from "../../../src/github/earlier-run-search.ts";
import type { RunOrigin } from "../../../src/results/resume/run-origin.ts";
import { buildZip, type ZipEntry } from "../../fakes/zip-builder.ts";

interface Job {
  readonly job?: string;
  readonly leg?: string | undefined;
  readonly step?: string;
  readonly attempt: number;
}

function originFor({ job = "evals", leg, step = "run", attempt }: Job): RunOrigin {
  const origin = originOf({ repository: "octo/evals", runId: "7", runAttempt: attempt, job, action: step }, leg);
  assert.ok(origin !== null);
  return origin;
}

interface Stored {
  readonly name: string;
  readonly entries: readonly ZipEntry[];
  readonly createdAtMs?: number;
}

const planOf = (origin: unknown, more: object = {}): ZipEntry => ({
  name: "plan.json",
  content: JSON.stringify({ run_id: "r", origin, tasks: [], ...more }),
});

/** Looks for what attempts before `ours` left, among artifacts in memory. */
async function search(
  t: Pick<TestContext, "after"> | undefined,
  stored: readonly Stored[],
  ours: Job,
): Promise<{ end: SearchEnd; notes: readonly string[]; downloads: number }> {
  const workDir = mkdtempSync(join(tmpdir(), "evalbatch-search-"));
  const remove = () => rmSync(workDir, { recursive: true, force: true });
  t?.after(remove);
  let downloads = 0;
  const access: ArtifactAccess = {
    list: async () => ({ kind: "failed", reason: "not asked" }),
    async download({ id }, directory) {
      downloads += 1;
      const path = join(directory, "a.zip");
      mkdirSync(directory);
      writeFileSync(path, buildZip(stored[id]?.entries ?? []));
      return { kind: "ok", data: path };
    },
    [Symbol.dispose]() {},
  };
  const attemptsOf = attemptsByName(ours, ours.attempt - 1);
  const candidates = stored.flatMap(({ name, createdAtMs }, id): Candidate[] => {
    const attempts = attemptsOf(name);
    return attempts.length === 0 ? [] : [{ id, name, bytes: 1, createdAtMs, digest: undefined, runId: "7", attempts, by: "runner" }];
  });
  using found = new EarlierRunSearch({
    origin: originFor(ours),
    access,
    workDir,
    into: join(workDir, "into"),
    signal: new AbortController().signal,
  });
  const end = await found.among(candidates);
  if (t === undefined) remove();
  return { end, notes: found.notes, downloads };
}

const ours: Job = { job: "evals", attempt: 2 };
const name = "evalbatch-evals-1";

test("never takes what another job, leg, step, run or repository made, whatever its name", async (t) => {
  const origin = originFor({ attempt: 1 });
  const others: readonly (readonly [unknown, RegExp])[] = [
    [originFor({ attempt: 1, job: "other" }), /another job, "other"/],
    [{ ...origin, job: null }, /another job, ""/],
    [originFor({ attempt: 1, leg: '{"os":"linux"}' }), /another leg/],
    [originFor({ attempt: 1, step: "again" }), /another step, "again"/],
    [{ ...origin, workflow_run_id: "8" }, /another workflow run, "8"/],
    [{ ...origin, repository: "evil/evals" }, /another repository/],
    [originFor({ attempt: 2 }), /no earlier attempt/],
    [originFor({ attempt: 99 }), /no earlier attempt/],
    [{ ...origin, job: "x".repeat(500) }, /another job, "x{100}…"/],
    [null, /does not say which job/],
    ["evals", /does not say which job/],
    [{}, /another repository/],
  ];
  for (const [theirs, why] of others) {
    const { end, notes } = await search(t, [{ name, entries: [planOf(theirs)] }], ours);
    assert.equal(end.kind, "nothing");
    assert.match(notes.join("\n"), why);
  }
});

test("needs a plan.json that can be read", async (t) => {
  const entries = (content: string): ZipEntry[] => [{ name: "plan.json", content }];
  for (const [content, why] of [
    [entries("{"), /plan\.json is no JSON/],
    [entries("[]"), /not of the form/],
    [entries(""), /no JSON/],
    [entries("{}"), /does not say which job/],
    [[{ name: "run.json", content: "{}" }], /has no plan\.json/],
    [[], /has no plan\.json/],
  ] as const) {
    const { notes } = await search(t, [{ name, entries: content }], ours);
    assert.match(notes.join("\n"), why);
  }
});

const entriesOf = (attempt: number, more: object = {}): ZipEntry[] => [planOf(originFor({ attempt }), more)];

test("two jobs that look alike never get each other's results", async (t) => {
  const stored = [
    { name, entries: entriesOf(1, { run_id: "one" }) },
    { name: `${name}-2`, entries: entriesOf(1, { run_id: "two" }) },
  ];
  const { end } = await search(t, stored, ours);
  assert.equal(end.kind, "ambiguous");
  assert.match(
    "why" in end ? end.why : "",
    /"evalbatch-evals-1-2" and "evalbatch-evals-1" are of two jobs .*: give each its own `artifact-name`/,
  );
  const sameDirectory = [
    { name, entries: entriesOf(1, { start_time: "2026-11-01T00:00:00.000Z" }) },
    { name: `${name}-2`, entries: entriesOf(1, { start_time: "2026-11-01T00:00:01.000Z" }) },
  ];
  assert.equal((await search(t, sameDirectory, ours)).end.kind, "ambiguous");
});

test("one run that was uploaded twice is one run", async (t) => {
  const stored = [name, `${name}-2`].map((each) => ({ name: each, entries: entriesOf(1) }));
  const { end } = await search(t, stored, ours);
  assert.equal("candidate" in end ? end.candidate.name : end.kind, `${name}-2`);
});

test("jobs that looked alike in an older attempt are no reason to refuse the last one's", async (t) => {
  const stored = [
    { name, entries: entriesOf(1, { run_id: "one" }) },
    { name: `${name}-2`, entries: entriesOf(1, { run_id: "two" }) },
    { name: "evalbatch-evals-2", entries: entriesOf(2) },
  ];
  const { end, downloads } = await search(t, stored, { job: "evals", attempt: 3 });
  assert.equal("origin" in end ? end.origin.workflow_run_attempt : end.kind, 2);
  assert.equal(downloads, 1);
});

test("looks at so many artifacts and no more", async (t) => {
  const stored = Array.from({ length: 15 }, (_, index) => ({ name: `${name}-${String(index).padStart(8, "0")}`, entries: [planOf(null)] }));
  const { end, notes, downloads } = await search(t, stored, ours);
  assert.equal(end.kind, "nothing");
  assert.equal(downloads, 10);
  assert.equal(notes.length, 11);
  assert.match(notes.at(-1) ?? "", /were not looked at: 10 others were/);
});

const anyJob = fc.record({
  // Names that meet: `evals-1` in attempt 2 is what `evals` is in attempt 1 when its name was taken.
  job: fc.constantFrom("evals", "evals-1", "evals-1-2", "evals-linux", "other"),
  leg: fc.option(fc.constantFrom('{"os":"linux"}', '{"os":"mac"}', '{"n":1}', '{"n":2}'), { nil: undefined }),
  step: fc.constantFrom("run", "again"),
  attempt: fc.integer({ min: 1, max: 5 }),
});
const anyStored = fc.record({
  of: anyJob,
  given: fc.boolean(),
  count: fc.constantFrom("", "-2", "-5", "-0a1b2c3d"),
  createdAtMs: fc.integer({ min: 0, max: 3 }),
});

test("of any artifacts of any jobs, only this job's own earlier one is ever taken", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(anyJob, fc.boolean(), fc.array(anyStored, { maxLength: 6 }), async (job, ran, others) => {
      const { attempt } = job;
      const own = { of: { ...job, attempt: attempt - 1 }, given: false, count: "", createdAtMs: 9 };
      const all = ran && attempt > 1 ? [...others, own] : others;
      const stored = all.map(({ of, given, count, createdAtMs }, index) => ({
        name: artifactName({ given: given ? "results" : undefined, ...of }) + count,
        entries: [planOf(originFor(of), { run_id: String(index) })],
        createdAtMs,
      }));
      const { end } = await search(undefined, stored, job);
      if (all.includes(own)) assert.notEqual(end.kind, "nothing");
      if (end.kind !== "found") return;
      const taken = all[end.candidate.id]?.of;
      assert.ok(taken !== undefined && taken.attempt < attempt);
      assert.deepEqual({ ...taken, attempt }, { ...job });
      found += 1;
    }),
    { numRuns: 300 },
  );
  assert.ok(found > 20, `${found} were found`);
});
