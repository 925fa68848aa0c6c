import assert from "node:assert/strict";
import test from "node:test";
import { failOnWords, type GatePolicy, judgeGate } from "../../../src/results/gate.ts";
import { verdictOf } from "../../../src/results/gate-reasons.ts";
import { suiteReasons } from "../../../src/results/gate-suites.ts";
import { type RunSummary, runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { type SuiteSummary, suiteSummarySchema, summarizeSuite } from "../../../src/results/suites/suite-summary.ts";
import { policy, rowsOf, runOf, type Scenario } from "./gate-runs.ts";
import { labelled, rollupOf, type SampleRow, scored } from "./suites/suite-rows.ts";

const check = (metric: string, min_value: number | null, actual_value: number | null, criterion = "file_exists") => ({
  criterion,
  metric,
  min_value,
  actual_value,
});

function suite(fields: Partial<SuiteSummary> = {}): SuiteSummary {
  return { ...suiteSummarySchema.parse({ suite_id: "s", passed: true, checks: 1 }), ...fields };
}

const missed = suite({ passed: false, checks_failed: 1, failed_checks: [check("mean", 0.9, 0.75)] });
const open = { ...missed, undecided: true };

const withSuites = (scenario: Scenario, suites: SuiteSummary[]): RunSummary => runOf({ ...scenario, suites });

// One letter for each of `fail-on` failure, error, never: p passes, f fails. One word without a rate, with 0.9, with 0.
const table: readonly (readonly [string, Scenario, SuiteSummary[], string])[] = [
  ["all passed, gate passed", { rows: rowsOf({ SUCCESS: 4 }) }, [suite()], "ppp ppp ppp"],
  ["all passed, no gate", { rows: rowsOf({ SUCCESS: 4 }) }, [suite({ checks: 0 })], "ppp ppp ppp"],
  ["all passed, gate failed", { rows: rowsOf({ SUCCESS: 4 }) }, [missed], "fpp fpp fpp"],
  ["one of two gates failed", { rows: rowsOf({ SUCCESS: 4 }) }, [suite(), missed], "fpp fpp fpp"],
  ["1 of 10 failed, gate passed", { rows: rowsOf({ SUCCESS: 9, FAILURE: 1 }) }, [suite()], "fpp ppp ppp"],
  ["1 of 10 failed, gate failed", { rows: rowsOf({ SUCCESS: 9, FAILURE: 1 }) }, [missed], "fpp fpp fpp"],
  ["1 of 10 an error, gate failed", { rows: rowsOf({ SUCCESS: 9, ERROR: 1 }) }, [missed], "ffp ffp ffp"],
  ["one not run, gate open", { rows: rowsOf({ SUCCESS: 9 }), notRun: 1 }, [open], "ffp ffp ffp"],
  ["interrupted, gate open", { rows: rowsOf({ SUCCESS: 9 }), notRun: 1, interrupted: true }, [open], "fff fff fff"],
];

test("a suite gate ends under every policy as the table says", () => {
  for (const [name, scenario, suites, expected] of table) {
    const words = [undefined, 0.9, 0].map((minPassRate) =>
      failOnWords.map((failOn) => (judgeGate(withSuites(scenario, suites), policy({ failOn, minPassRate })).passes ? "p" : "f")).join(""),
    );
    // A rate of 0.9 that 9 of 10 reach speaks for the failed task, never for the suite.
    assert.equal(words.join(" "), expected, name);
  }
});

test("11.2: a failed suite gate makes the verdict failed, with a reason that names suite, metric, wanted and got", () => {
  const summary = withSuites({ rows: rowsOf({ SUCCESS: 4 }) }, [missed]);
  assert.deepEqual(verdictOf(summary, policy({})), {
    verdict: "failed",
    reasons: ["suite s: mean 0.75, at least 0.9 asked (file_exists)"],
  });
  const mild = judgeGate(summary, policy({ failOn: "error" }));
  assert.deepEqual([mild.passes, mild.tolerated], [true, ["suite s: mean 0.75, at least 0.9 asked (file_exists)"]]);
});

test("a gate that the missing rows could lift leaves the verdict incomplete; a certain one does not", () => {
  const scenario: Scenario = { rows: rowsOf({ SUCCESS: 4 }), notRun: 1, interrupted: true };
  const asked: GatePolicy = policy({ minPassRate: 0.5 });
  assert.equal(verdictOf(withSuites(scenario, [open]), asked).verdict, "incomplete");
  assert.equal(verdictOf(withSuites(scenario, [missed]), asked).verdict, "failed");
});

const textOf = (fields: Partial<SuiteSummary>) => suiteReasons([suite({ passed: false, checks_failed: 1, ...fields })])[0]?.text;

test("a reason says what there was, never rounded up to what was asked", () => {
  assert.equal(textOf({ failed_checks: [check("mean", 0.9, 0.89999)] }), "suite s: mean 0.89999, at least 0.9 asked (file_exists)");
  assert.equal(textOf({ failed_checks: [check("count", 100, 12)] }), "suite s: count 12, at least 100 asked (file_exists)");
  assert.equal(textOf({ failed_checks: [check("nonsense", 0.5, null)] }), "suite s: no nonsense, at least 0.5 asked (file_exists)");
  assert.equal(textOf({ failed_checks: [check("mean", null, 1)] }), "suite s: mean has a threshold that is no number (file_exists)");
  assert.equal(
    textOf({ failed_checks: [check("mean", 1, 0), check("min", 1, 0)], checks_failed: 12 }),
    "suite s: mean 0, at least 1 asked (file_exists) and 11 more",
  );
  assert.equal(textOf({}), "suite s: its thresholds do not hold");
});

test("where suites are of several variants a reason names them", () => {
  const texts = suiteReasons([missed, { ...missed, variant_id: "candidate" }]).map(({ text }) => text);
  assert.deepEqual(
    texts.map((text) => text.slice(0, 22)),
    ["suite s (default): mea", "suite s (candidate): m"],
  );
});

test("the first five are told each, the rest together, certain ones first", () => {
  const reasons = suiteReasons([open, ...Array.from({ length: 8 }, (_, index) => ({ ...missed, suite_id: `s${index}` }))]);
  assert.deepEqual(
    reasons.map(({ kind, text }) => `${kind} ${text.slice(0, 12)}`),
    [
      "failure suite s0: me",
      "failure suite s1: me",
      "failure suite s2: me",
      "failure suite s3: me",
      "failure suite s4: me",
      "failure 3 more suite",
      "open suite s: mea",
    ],
  );
  assert.equal(reasons[5]?.text, "3 more suites miss their thresholds");
});

test("whatever suites and metrics are called, a reason is one line of bounded length", () => {
  const hostile = "\u202ea\nb\u0000".repeat(10_000);
  const text = textOf({ suite_id: hostile, variant_id: hostile, failed_checks: [check(hostile, 0.5, 0.1, hostile)] }) ?? "";
  assert.ok(text.length < 600);
  assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\u2028\u2029]/u);
});

test("run.json keeps of each suite what the gate needs, with at most ten failed checks", () => {
  const thresholds = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`metric-${index}`, 0.5]));
  const rows: SampleRow[] = [{ found: [1, ["yes", "no"], ["yes", "yes"]] }];
  const rollup = rollupOf(rows, [scored(thresholds), labelled("yes", { accuracy: 0.5 }), labelled("yes", { accuracy: 1.5 })]);
  const summary = summarizeSuite(rollup);
  assert.deepEqual([summary.checks, summary.checks_failed, summary.failed_checks.length, summary.passed], [32, 32, 10, false]);
  assert.deepEqual(summary.failed_checks[0], check("metric-0", 0.5, null));
  const few = summarizeSuite(rollupOf(rows, [scored(), labelled("yes", { accuracy: 0.5 }), labelled("yes", { accuracy: 1.5 })]));
  assert.deepEqual(few.failed_checks, [
    check("accuracy", 0.5, 0, "classification_match, criterion 2"),
    check("accuracy", 1.5, 1, "classification_match, criterion 3"),
  ]);
  assert.equal(few.result_dir, "default/s");
});

test("a suite of which nothing was graded has no pass rate", () => {
  const summary = summarizeSuite(rollupOf([{ status: "NOT_GRADED" }], [scored()]));
  assert.equal(summary.pass_rate, null);
});

test("a run.json reads back as it was written, one of an older version has no suites, and what is odd is left out", () => {
  const summary = withSuites({ rows: rowsOf({ SUCCESS: 1 }) }, [missed]);
  assert.deepEqual(runSummarySchema.parse(JSON.parse(JSON.stringify(summary))).suites, [missed]);
  const { suites: _suites, ...older } = summary;
  assert.deepEqual(runSummarySchema.parse(older).suites, []);
  assert.deepEqual(runSummarySchema.parse({ ...older, suites: "none" }).suites, []);
  assert.deepEqual(runSummarySchema.parse({ ...older, suites: [missed, { suite_id: 7 }] }).suites, [missed]);
});
