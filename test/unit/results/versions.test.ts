import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { DriftEntry } from "../../../src/results/fingerprint/drift-schema.ts";
import { createReportedVersions } from "../../../src/results/reported-versions.ts";
import { type AttemptFacts, attemptFactsSchema, type EvaluationResult } from "../../../src/results/task-result.ts";
import type { AnyObject } from "../../../src/results/tolerant.ts";
import { reconcileVersions, withVersions } from "../../../src/results/versions.ts";
import { sampleResult } from "./fixtures.ts";

interface Told {
  readonly task?: string;
  readonly at?: string;
  readonly info?: AnyObject;
  readonly version?: string;
  readonly sandbox?: Partial<NonNullable<AttemptFacts["sandbox"]>>;
  readonly resolved?: AnyObject;
}

function resultOf({ task = "t", at = "2026-07-07T10:00:00.000Z", info = {}, version, sandbox, resolved }: Told): EvaluationResult {
  const facts = version === undefined && sandbox === undefined ? null : attemptFactsSchema.parse({ version, sandbox: sandbox ?? null });
  const config = resolved === undefined ? null : { resolved, source_yaml: "", source_file: null, lineage: {} };
  return sampleResult({ task_id: task, started_at: at, environment_info: info, evalbatch: facts, task_config: config });
}

function reconcile(told: readonly Told[], host: AnyObject = {}) {
  const versions = createReportedVersions();
  for (const each of told) versions.add(resultOf(each));
  return reconcileVersions(host, versions);
}

const probe = (name: string, value: string): AnyObject => ({ env_probe: { [name]: value } });
const inImage = (image: string, imageId: string | null = null): Pick<Told, "sandbox"> => ({
  sandbox: { driver: "docker", image, image_id: imageId },
});

function entry(overrides: Partial<DriftEntry>): DriftEntry {
  return { kind: "versions", field: "x", before: null, now: null, set_by: null, benign: false, rows: 1, tasks: ["t"], ...overrides };
}

test("the versions that tasks saw replace the host's, those that differ joined, oldest first", () => {
  const { info } = reconcile(
    [
      {
        info: {
          cli_version: "1.10.0",
          tool_plugins: { b: "1.0.0", a: "2.0.0" },
          env_probe: { java: "Not Found", python: "Python 3.12.1" },
        },
      },
      { info: { cli_version: "1.9.0", tool_plugins: { b: "1.1.0" }, env_probe: { java: "Not Found", python: "Python 3.9.2" } } },
      { info: { cli_version: "unknown", env_probe: { python: "Not Found" } } },
    ],
    { cli_version: "unknown", tool_plugins: { host: "9.9.9" }, node: "v24" },
  );
  assert.deepEqual(info, {
    cli_version: "1.9.0 | 1.10.0",
    tool_plugins: { a: "2.0.0", b: "1.0.0 | 1.1.0" },
    node: "v24",
    env_probe: { java: "Not Found", python: "Python 3.9.2 | Python 3.12.1" },
  });
});

test("where no task tells anything the host's versions stay", () => {
  const host = { cli_version: "1.0.0", tool_plugins: { host: "9.9.9" } };
  const { info, drift } = reconcile([{ info: { cli_version: "unknown", tool_plugins: {} } }, { info: { tool_plugins: { x: "" } } }], host);
  assert.deepEqual(info, host);
  assert.deepEqual(drift, []);
});

test("a difference tells the versions before, the one of the task that was started last, and the tasks in the minority", () => {
  const { drift } = reconcile([
    { task: "b", at: "2026-07-07T10:00:00Z", info: probe("java", "17.0.9") },
    { task: "a", at: "2026-07-07T10:01:00Z", info: probe("java", "17.0.10") },
    { task: "c", at: "2026-07-07T10:05:00Z", info: probe("java", "8") },
    { task: "d", at: "2026-07-07T10:02:00Z", info: probe("java", "8") },
    { task: "e", info: probe("java", "Not Found") },
  ]);
  assert.deepEqual(drift, [entry({ field: "env_probe.java", before: "17.0.9 | 17.0.10", now: "8", rows: 2, tasks: ["a", "b"] })]);
});

test("cli, plugins, agents, tools that were installed, engine and writer are compared as well", () => {
  const { drift } = reconcile([
    {
      task: "a",
      info: { cli_version: "1.9.0", tool_plugins: { p: "1.0.0", q: "2.0.0" }, installed_tools: { jq: "1.6" }, claude_code_cli: "2.0.0" },
    },
    {
      task: "b",
      at: "2026-07-08T10:00:00Z",
      info: { cli_version: "1.10.0", tool_plugins: { p: "1.1.0", q: "2.0.0" }, installed_tools: { jq: "1.7" }, claude_code_cli: "2.1.0" },
    },
    { task: "a", version: "0.1.0", sandbox: { engine_version: "20.10.24" } },
    { task: "b", at: "2026-07-08T10:00:00Z", version: "0.2.0", sandbox: { engine_version: "28.0.1" } },
  ]);
  assert.deepEqual(
    drift.map(({ field, before, now, tasks }) => [field, before, now, ...tasks]),
    [
      ["claude_code_cli", "2.0.0", "2.1.0", "a"],
      ["cli_version", "1.9.0", "1.10.0", "a"],
      ["engine", "20.10.24", "28.0.1", "a"],
      ["evalbatch", "0.1.0", "0.2.0", "a"],
      ["installed_tools.jq", "1.6", "1.7", "a"],
      ["tool_plugins.p", "1.0.0", "1.1.0", "a"],
    ],
  );
});

test("one name of an image that stood for two images differs, two images of two names do not", () => {
  const id = (digit: string): string => `sha256:${digit.repeat(64)}`;
  const { drift } = reconcile([
    { task: "a", ...inImage("node:24", `node@${id("1")}`) },
    { task: "b", at: "2026-07-08T10:00:00Z", ...inImage("node:24", `node@${id("2")}`) },
    { task: "c", ...inImage("python:3", id("3")) },
  ]);
  assert.deepEqual(drift, [entry({ field: "image node:24", before: "sha256:111111111111", now: "sha256:222222222222", tasks: ["a"] })]);
});

test("what differs with the image or the packages that tasks ask for is no reason for a warning", () => {
  const packages = (version: string): Pick<Told, "resolved"> => ({ resolved: { sandbox: { python: { env_packages: [version] } } } });
  const [old, young] = [probe("python", "Python 3.12.1"), probe("python", "Python 3.13.0")];
  const benign = (told: readonly Told[]): boolean[] => reconcile(told).drift.map((found) => found.benign);
  assert.deepEqual(
    benign([
      { info: old, ...inImage("python:3.12") },
      { info: young, ...inImage("python:3.13") },
    ]),
    [true],
  );
  assert.deepEqual(
    benign([
      { info: old, ...packages("a==1") },
      { info: young, ...packages("a==2") },
    ]),
    [true],
  );
  assert.deepEqual(
    benign([
      { info: old, ...inImage("python:3") },
      { info: young, ...inImage("python:3") },
    ]),
    [false],
  );
  const mixed = [
    { info: old, ...inImage("a") },
    { info: young, ...inImage("b") },
    { info: young, ...inImage("a") },
  ];
  assert.deepEqual(benign(mixed), [false]);
});

test("results of another version than the run's are told, even where all are", () => {
  const { drift, info } = reconcile(
    [
      { task: "a", info: { coder_eval: "0.8.2" } },
      { task: "b", info: { coder_eval: "0.10.0" } },
      { task: "c", info: { coder_eval: "0.9.0" } },
    ],
    { coder_eval: "0.8.2" },
  );
  assert.deepEqual(drift, [entry({ field: "coder_eval", before: "0.9.0 | 0.10.0", now: "0.8.2", rows: 2, tasks: ["b", "c"] })]);
  assert.equal(info.coder_eval, "0.8.2");
  assert.deepEqual(reconcile([{ version: "0.1.0" }], { evalbatch: "0.2.0" }).drift, [
    entry({ field: "evalbatch", before: "0.1.0", now: "0.2.0" }),
  ]);
});

test("a hostile run with a version per task is shown in part and counted, with bounded texts", () => {
  const told = Array.from({ length: 3000 }, (_, index) => ({
    task: `t${index}`,
    info: { env_probe: { java: `17.0.${index} ${"x".repeat(5000)}`, [`n${index}`]: "1.0.0" }, tool_plugins: { [`p${index}`]: "1" } },
  }));
  const { info, drift } = reconcile(told);
  assert.ok(JSON.stringify(info).length < 100_000);
  const [java] = drift;
  assert.equal(drift.length, 1);
  assert.equal(java?.rows, 2999);
  assert.ok(JSON.stringify(java).length < 3000);
  const few = reconcile(Array.from({ length: 30 }, (_, index) => ({ info: probe("java", `1.0.${index}`) })));
  const shown = String(Object.values(few.info.env_probe ?? {})[0]).split(" | ");
  assert.equal(shown.length, 21);
  assert.deepEqual([shown[0], shown[19], shown[20]], ["1.0.0", "1.0.19", "… (10 more)"]);
});

const name = fc.constantFrom("java", "python", "constructor", "__proto__");
const version = fc.oneof(fc.constantFrom("1.9.0", "1.10.0", "v2", "Not Found", ""), fc.string({ maxLength: 5 }));
const told: fc.Arbitrary<Told> = fc.record(
  {
    task: fc.constantFrom("a", "b", "c"),
    at: fc.constantFrom("2026-07-07T10:00:00Z", "2026-07-08T10:00:00Z", "nonsense"),
    info: fc.record(
      { env_probe: fc.dictionary(name, version), cli_version: version, tool_plugins: fc.dictionary(name, version) },
      { requiredKeys: [] },
    ),
    version: fc.constantFrom("0.1.0", "0.2.0"),
    sandbox: fc.record({
      image: fc.constantFrom("i", "j"),
      image_id: fc.constantFrom("sha256:1", "sha256:2", null),
      engine_version: version,
    }),
  },
  { requiredKeys: [] },
);

test("the order of the results does not matter", () => {
  fc.assert(
    fc.property(fc.array(told), fc.infiniteStream(fc.nat()), (list, random) => {
      const ranks = list.map((item) => ({ item, rank: random.next().value }));
      const shuffled = ranks.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
      assert.deepEqual(reconcile(shuffled, { evalbatch: "0.1.0" }), reconcile(list, { evalbatch: "0.1.0" }));
    }),
  );
});

test("what more values than are kept leave behind does not depend on their order either", () => {
  const many = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 150, maxLength: 300 });
  fc.assert(
    fc.property(many, (numbers) => {
      const of = (list: readonly number[]) => reconcile(list.map((number) => ({ task: `t${number}`, info: probe("java", `1.${number}`) })));
      assert.deepEqual(of(numbers.toSorted((a, b) => b - a)), of(numbers));
    }),
    { numRuns: 20 },
  );
});

test("a task that tells nothing differs from none", () => {
  const silent: fc.Arbitrary<Told> = fc.constantFrom<Told>({}, { info: probe("java", "Not Found") }, { info: { cli_version: "unknown" } });
  fc.assert(
    fc.property(fc.array(silent), fc.constantFrom("1.9.0", "1.10.0"), fc.nat({ max: 5 }), (list, java, at) => {
      const tells: Told = {
        info: { ...probe("java", java), cli_version: java, tool_plugins: { p: java } },
        version: "0.1.0",
        ...inImage("i", "sha256:1"),
      };
      assert.deepEqual(reconcile(list.toSpliced(at, 0, tells, tells)).drift, []);
    }),
  );
});

test("differences from an earlier execution come along, and what they tell already is not told twice", () => {
  const found = reconcile([
    { version: "0.1.0", info: probe("java", "17") },
    { version: "0.2.0", info: probe("java", "21") },
  ]);
  const earlier = [
    entry({ kind: "environment", field: "evalbatch", before: "0.1.0", now: "0.2.0" }),
    entry({ kind: "config", field: "max_parallel", benign: true }),
    entry({ field: "env_probe.java", before: "11", now: "17" }),
    entry({ kind: "content", field: "initial_prompt" }),
  ];
  const { drift } = withVersions(found, earlier);
  assert.deepEqual(
    drift.map(({ kind, field, before }) => [kind, field, before]),
    [
      ["content", "initial_prompt", null],
      ["versions", "env_probe.java", "17"],
      ["environment", "evalbatch", "0.1.0"],
      ["config", "max_parallel", null],
    ],
  );
});
