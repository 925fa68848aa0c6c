import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { maxSummaryBytes } from "../../../src/github/summary.ts";
import { commentLadder, type OverviewFacts, summaryLadder } from "../../../src/report/overview.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import type { GateEnd } from "../../../src/results/gate.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { md } from "../../../src/untrusted/markdown.ts";
import { addressesOf, headingsOf, render, shownText } from "../untrusted/github-render.ts";
import { attempt, criterion, factsOf, summaryOf } from "./overview-builders.ts";
import { overviewCases } from "./overview-cases.ts";
import { commentPage, commentRoom, summaryPage } from "./overview-golden.ts";

const cases = overviewCases();

function caseNamed(name: string): OverviewFacts {
  const found = cases.find((entry) => entry.name === name);
  assert.ok(found !== undefined);
  return found.facts;
}

/** The fullest comment, as a reader sees it. */
function shown(facts: OverviewFacts): string {
  const [first = md``] = commentLadder(facts);
  return shownText(render(first));
}

const title = (facts: OverviewFacts): string => shown(facts).split("\n")[0] ?? "";

const passed = attempt("a");
const failed = attempt("b", { final_status: "FAILURE", weighted_score: 0.2 });
const waiting = { task_id: "w", variant_id: "default", replicate_index: 0, reason: "disk full" };

for (const { name, facts } of cases) {
  const comments = [...commentLadder(facts)].map((text) => Buffer.byteLength(text));
  test(`each rung for the run "${name}" is smaller than the one before, and the last comment has less than 1,000 bytes`, () => {
    const summaries = [...summaryLadder(facts, renderRunMarkdown(facts.summary))].map((text) => Buffer.byteLength(text));
    for (const sizes of [comments, summaries]) {
      assert.deepEqual(
        sizes,
        [...new Set(sizes)].sort((a, b) => b - a),
      );
    }
    assert.ok((comments.at(-1) ?? 1000) < 1000, `${comments.at(-1)} bytes`);
  });
}

test("the shortest comment has verdict, counts and links whatever the title and the addresses are", () => {
  const facts = caseNamed("mixed");
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "grapheme", maxLength: 300 }), fc.string({ unit: fc.constantFrom("$", "&", "@", "界") })),
      fc.webUrl(),
      (name, url) => {
        const rungs = [...commentLadder({ ...facts, title: name, runUrl: url, artifact: { name, url } })];
        const last = rungs.at(-1) ?? md``;
        assert.ok(Buffer.byteLength(last) < 1000);
        assert.match(last, /^## ❌ /);
        assert.match(last, /: failed, 9 of 12 tasks passed\n/);
        assert.match(last, /12 tasks run: \*\*9 passed\*\*, \*\*2 failed\*\*, \*\*1 error\*\*/);
        if (url.length <= 100) assert.equal(addressesOf(render(last)).length, 2);
      },
    ),
  );
});

test("2,000 failing tasks fit the job summary, each by its name", () => {
  const facts = caseNamed("2000-tasks");
  const page = summaryPage(facts);
  assert.ok(Buffer.byteLength(page) <= maxSummaryBytes);
  for (const row of facts.summary.task_results) assert.ok(page.includes(row.task_id), row.task_id);
  assert.match(page, /^## ❌ evals: failed, 0 of 2,000 tasks passed\n/);
  assert.ok(page.includes("<summary>Full report"));
});

test("a run with long texts drops the full report before it drops failures", () => {
  const long = (letter: string) => letter.repeat(280);
  const rows = Array.from({ length: 1500 }, (_, index) =>
    attempt(`${long("t")}-${index}`, { final_status: "FAILURE", error_message: long("&"), error_log_tail: long("l") }),
  );
  const page = summaryPage(factsOf(summaryOf(rows)));
  assert.ok(Buffer.byteLength(page) <= maxSummaryBytes);
  assert.match(shownText(render(page)), /1,500 failures/);
  assert.ok(!page.includes("Full report"));
});

test("a comment shows at most 20 failures with their logs and counts the rest", () => {
  const facts = caseNamed("2000-tasks");
  const [first = md``] = commentLadder(facts);
  assert.equal(first.match(/Last lines of the log/g)?.length, 20);
  assert.match(first, /… and 1,616 more failures: see the \[summary of the run\]\(/);
  assert.ok(commentPage(facts).length <= commentRoom);
});

test("the first line tells in words how a run ended", () => {
  const no: GateEnd = { passes: false, reasons: ["1 of 1 graded task scored below 0.8"], tolerated: [] };
  const lines: [string, OverviewFacts][] = [
    ["✅ evals: passed, 1 of 1 task", factsOf(summaryOf([passed]))],
    ["❌ evals: failed, 1 of 2 tasks passed", factsOf(summaryOf([passed, failed]))],
    ["❌ evals: failed, 1 of 1 task passed, but 1 of 1 graded task scored below 0.8", factsOf(summaryOf([passed]), { gate: no })],
    ["⚠️ evals: incomplete, 1 of 2 tasks passed", factsOf(summaryOf([passed], { notRun: [waiting] }))],
    ["⚠️ evals: incomplete (cut short), 1 of 2 tasks passed", factsOf(summaryOf([passed], { notRun: [waiting], interrupted: true }))],
    ["⚠️ evals: incomplete (cut short), 1 of 1 task passed", factsOf(summaryOf([passed], { interrupted: true }))],
    ["❌ evals: failed and cut short, 0 of 2 tasks passed", factsOf(summaryOf([failed], { notRun: [waiting], interrupted: true }))],
    ["❌ evals: failed, nothing to run", factsOf(summaryOf([]))],
    ["✅ evals: nothing to run", factsOf(summaryOf([]), { policy: { ...strictGate, allowEmpty: true } })],
    ["✅ evals: passed, 9 of 10 tasks passed", caseNamed("threshold")],
    ["⚠️ evals: failed (advisory), 9 of 12 tasks passed", caseNamed("advisory")],
    [
      "⚠️ evals: failures tolerated, 1 of 2 tasks passed",
      factsOf(summaryOf([passed, failed]), { policy: { ...strictGate, failOn: "error" } }),
    ],
    ["❌ evals: failed, 1 of 2 tasks passed", { ...factsOf(summaryOf([passed, failed])), gate: undefined }],
  ];
  for (const [expected, facts] of lines) assert.equal(title(facts), expected);
});

test("a threshold that lets a run pass is said, and what it lets pass is in its rate", () => {
  const text = shown(caseNamed("threshold"));
  assert.match(text, /Asked: at least 70% passed; 90\.0% did/);
  assert.match(text, /9 passed, 1 failed/);
  assert.doesNotMatch(text, /Tolerated/);
});

test("the numbers of tasks add up", () => {
  const text = shown(caseNamed("partial"));
  assert.match(text, /27 tasks planned: 5 run \(4 passed, 1 not graded\), 22 not run/);
});

test("a price is told, or a lower bound of it, or nothing where nothing is known", () => {
  const priced = attempt("p", { cost: 0.5 });
  assert.match(shown(factsOf(summaryOf([priced]))), /Cost \$0\.50 · took 3 min 05 s/);
  assert.match(shown(factsOf(summaryOf([priced, { ...passed, cost_complete: false }]))), /Cost at least \$0\.50/);
  assert.match(shown(factsOf(summaryOf([attempt("c", { cost: 0.0042 })]))), /Cost \$0\.0042/);
  assert.doesNotMatch(shown(factsOf(summaryOf([passed]))), /\$|Cost/);
});

test("errors come before failures, and those by their score", () => {
  const ids = ["high", "none", "low", "broken"];
  const scores = [0.9, null, 0.1, 0.5];
  const rows = ids.map((id, index) =>
    attempt(id, { final_status: id === "broken" ? "ERROR" : "FAILURE", weighted_score: scores[index] ?? null }),
  );
  const names = headingsOf(render([...commentLadder(factsOf(summaryOf([passed, ...rows])))][0] ?? ""))
    .filter(({ level }) => level === 4)
    .map(({ text }) => text.split(" ")[1]);
  assert.deepEqual(names, ["broken", "none", "low", "high"]);
});

test("an error that many rows have in common is told once, with their names, and hides nothing else", () => {
  const broken = Array.from({ length: 30 }, (_, index) =>
    attempt(`broken-${index}`, { final_status: "ERROR", error_message: `no space left for broken-${index}` }),
  );
  const text = shown(factsOf(summaryOf([...broken, failed])));
  assert.match(text, /31 failures\n💥 broken-0 and 29 more: ERROR\n\nno space left for broken-0\nThe same in broken-1, .* and 19 more\n/);
  assert.match(text, /❌ b FAILURE/);
  assert.equal(text.match(/no space left/g)?.length, 1);
});

test("a failure that many rows have in common is shown three times before the others", () => {
  const same = Array.from({ length: 30 }, (_, index) =>
    attempt(`same-${index}`, {
      final_status: "FAILURE",
      weighted_score: 0,
      success_criteria_results: [criterion({ criterion_type: "file_exists", description: "it is there", score: 0 })],
    }),
  );
  assert.match(shown(factsOf(summaryOf([...same, failed]))), /❌ same-2 FAILURE[\s\S]*❌ b FAILURE[\s\S]*❌ same-3 FAILURE/);
});

test("reasons that only count again what is counted below are left out", () => {
  assert.doesNotMatch(shown(factsOf(summaryOf([passed, failed]))), /Why/);
  const error = attempt("e", { final_status: "ERROR", error_message: "no engine" });
  assert.match(shown(factsOf(summaryOf([error]))), /Why: the only task ended in an error: no engine/);
  const policy = { ...strictGate, minPassRate: 0.9 };
  assert.match(
    shown(factsOf(summaryOf([passed, failed], { gate: policy }), { policy })),
    /Why: 50\.0% of 2 graded tasks passed, at least 90% asked\n/,
  );
});

test("a task is told with the command that runs it again, unless a shell would read its path otherwise", () => {
  assert.match(shown(factsOf(summaryOf([failed]))), /Run it again: evalbatch run evals\/b\.yaml --driver docker/);
  const odd = attempt("x; rm", { final_status: "FAILURE" });
  assert.match(shown(factsOf(summaryOf([odd]))), /Task file: evals\/x; rm\.yaml/);
});

test("what a criterion printed is shown as it was printed", () => {
  const row = attempt("t", {
    final_status: "FAILURE",
    success_criteria_results: [
      criterion({
        criterion_type: "run_command",
        description: "tests pass",
        score: 0,
        details: "Command: x\nExit code: 1 (expected: 0)\nStdout:\n1 failed",
      }),
    ],
  });
  const [first = md``] = commentLadder(factsOf(summaryOf([row])));
  assert.match(
    first,
    /- \*\*tests pass\*\* \(criterion 1, `run_command`\): score 0\.000, needs 1\.000\n\n```\nExit code: 1 \(expected: 0\)\nStdout:\n1 failed\n```\n/,
  );
});

test("what changed is told by name, with rate, price and time before and now", () => {
  const text = shown(caseNamed("mixed"));
  assert.match(
    text,
    /Compared with commit a94a8fe: 1 newly failing, 1 fixed, 1 still failing, 1 new task, 1 task gone; pass rate 83\.3% → 75\.0%/,
  );
  assert.match(text, /Newly failing: fix-rounding/);
  assert.match(text, /Fixed: add-endpoint/);
  assert.match(text, /fix-rounding FAILURE, score 0\.500, newly failing/);
  assert.doesNotMatch(text, /gone-task/);
});

test("what a comparison could not see is said", () => {
  const facts = caseNamed("mixed");
  const { changes } = facts;
  assert.ok(changes !== undefined);
  const none = {
    ...changes,
    compared: "none" as const,
    newlyFailing: [],
    fixed: [],
    stillFailing: 0,
    added: undefined,
    removed: undefined,
  };
  assert.match(shown({ ...facts, changes: none }), /: that run was too large to compare task by task; pass rate 83\.3% → 75\.0%/);
  const missed = { ...changes, compared: "missed" as const, added: undefined, removed: undefined };
  assert.match(shown({ ...facts, changes: missed }), /Newly failing, or new: fix-rounding/);
  const nothing = { ...none, compared: "all" as const };
  assert.match(shown({ ...facts, changes: nothing }), /Compared with commit a94a8fe: no task ended differently; /);
  assert.match(shown({ ...facts, commit: changes.previous.sha }), /Compared with the previous run of this commit: /);
  const unknown = { ...changes, previous: { ...changes.previous, sha: undefined } };
  assert.match(shown({ ...facts, changes: unknown }), /Compared with the previous run: /);
});

test("a run without artifact, pull request or job is told without links", () => {
  const facts = { ...factsOf(summaryOf([failed])), artifact: undefined, runUrl: undefined, commit: undefined };
  for (const page of [...commentLadder(facts), ...summaryLadder(facts, md``)]) assert.deepEqual(addressesOf(render(page)), []);
  assert.match(shown(facts), /Log: default\/b\/00\/task\.log/);
});
